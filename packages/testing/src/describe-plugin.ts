import type { TestApi } from "./describe-model.ts";
import { pluginContract } from "./describe-plugin/plugin-contract.ts";
import type { PluginSubject } from "./describe-plugin/subject.ts";

/**
 * Defines a test for each case of the plugin contract: name, version and API, its package, set-up and disposal,
 * options refused by their path, an import that does nothing and needs no network.
 */
export function describePlugin(subject: PluginSubject, { describe, test }: TestApi): void {
  describe(`plugin contract: ${subject.plugin.pluginName}`, () => {
    for (const { name, run } of pluginContract(subject)) test(name, run);
  });
}
