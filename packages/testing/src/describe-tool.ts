import type { TestApi } from "./describe-model.ts";
import type { ToolSubject } from "./describe-tool/subject.ts";
import { toolContract } from "./describe-tool/tool-contract.ts";

/**
 * Defines a test for each case of the tool contract: its words, its encoding for each provider passed in, examples,
 * wrong inputs, effects, the size of results, an abort. Calls go through the real dispatch, in temporary folders.
 */
export function describeTool(subject: ToolSubject, { describe, test }: TestApi): void {
  describe(`tool contract: ${subject.tool.name}`, () => {
    for (const { name, run } of toolContract(subject)) test(name, run);
  });
}
