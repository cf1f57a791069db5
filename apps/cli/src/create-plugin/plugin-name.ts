import { UsageError } from "../usage-error.ts";

/** What a plugin is called, everywhere. */
export interface PluginName {
  /** Of the package: `@acme/toycoder-plugin-line-count`. */
  package: string;
  /** In a config and in rules: `line-count`. */
  short: string;
  /** In front of its tools' names: `line_count`. */
  snake: string;
  /** In its source: `lineCount`. */
  camel: string;
}

const SHORT = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const SCOPE = /^@[a-z0-9][a-z0-9._-]*$/;
const MOST = 40;

/**
 * The names of a new plugin, from its package's name or from a short one, which gets `toycoder-plugin-` in front.
 * Throws a UsageError with a name that would do.
 */
export function pluginName(given: string): PluginName {
  const [, scope, name = ""] = /^(?:(@[^/]*)\/)?(.*)$/s.exec(given.trim()) ?? [];
  const short = name.replace(/^toycoder-plugin-/, "");
  const shape = "toycoder-plugin-NAME or @scope/toycoder-plugin-NAME";
  if (scope !== undefined && (!SCOPE.test(scope) || !name.startsWith("toycoder-plugin-"))) {
    const plain = short.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "") || "NAME"; // prettier-ignore
    throw new UsageError(
      `${JSON.stringify(given)} is no plugin's name`,
      `a plugin is called ${shape}: ${SCOPE.test(scope) ? scope : "@scope"}/toycoder-plugin-${plain}`,
    );
  }
  if (!SHORT.test(short) || short.length > MOST) {
    const near = short.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^[^a-z]+|-$/g, "").slice(0, MOST); // prettier-ignore
    throw new UsageError(
      `${JSON.stringify(given)} is no plugin's name`,
      `it has small letters, digits and single dashes, starts with a letter, and is at most ${MOST} long${near === "" ? "" : `: toycoder-plugin-${near}`}`,
    );
  }
  return {
    package: `${scope === undefined ? "" : `${scope}/`}toycoder-plugin-${short}`,
    short,
    snake: short.replaceAll("-", "_"),
    camel: short.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
  };
}

export const defaultDescription = (name: string): string =>
  `Tools for ${pluginName(name).short.replaceAll("-", " ")}, for ToyCoder.`;
