import { isSetupError, messageOf, type Plugin } from "@toycoder/core";
import type { Finding, WatchedEffect } from "@toycoder/testing";
import valid from "semver/functions/valid.js";
import type { InspectionTask } from "./inspection.ts";

/** A finding that is certain. */
export const error = (code: string, place: string, message: string, fix: string): Finding => ({
  severity: "error",
  code,
  place,
  message,
  fix,
});

/** The message without the place in a config, which there is none of. */
export function loadFinding(thrown: unknown): Finding {
  const cause = isSetupError(thrown) && isSetupError(thrown.cause) ? thrown.cause : thrown;
  const message = messageOf(cause);
  const hint = isSetupError(cause) ? cause.hint : undefined;
  if (/plugin API/.test(message)) return error("api_unknown", "plugin, api", message, hint ?? "set api: 1");
  if (message.startsWith("it exports")) {
    return error("no_plugin", "exports", message, "export default definePlugin({ … })");
  }
  return error(
    "import_failed",
    "exports",
    message,
    hint ?? "node --eval 'await import(\"…\")' shows the whole error",
  );
}

/** What is wrong with the name and version that a plugin tells. */
export function identityFindings({ name, version }: Plugin, task: InspectionTask): Finding[] {
  const findings: Finding[] = [];
  if (!/^[a-z][a-z0-9-]*$/.test(name))
    findings.push(
      error(
        "plugin_name",
        "plugin, name",
        `${JSON.stringify(name)} cannot stand in a rule`,
        "use small letters, digits and dashes: rules say plugin:NAME",
      ),
    );
  if (valid(version) !== version)
    findings.push(
      error(
        "version_invalid",
        "plugin, version",
        `${JSON.stringify(version)} is no semver version`,
        'write it as "1.0.0"',
      ),
    );
  else if (task.version !== undefined && task.version !== version)
    findings.push(
      error(
        "version_differs",
        "plugin, version",
        `it tells ${version}, and package.json ${task.version}`,
        "take it from package.json, or have the release set both",
      ),
    );
  return findings;
}

/** Why a set-up failed; `network` is what it asked for that was refused. */
export function failedSetup(thrown: unknown, network: WatchedEffect | undefined): Finding {
  const message = messageOf(thrown);
  if (network !== undefined)
    return error(
      "setup_needs_network",
      "setup",
      `without a network (${network.what}) it fails: ${message}`,
      "connect when a tool is called: a plugin has to load offline",
    );
  if (isSetupError(thrown) && thrown.code === "plugin_options")
    return error(
      "options_needed",
      "options",
      `it cannot be set up without options: ${message}`,
      "check it with some: toycoder plugin check --options '{ … }'",
    );
  if (isSetupError(thrown) && thrown.code === "invalid_tool")
    return error(
      "tool_invalid",
      "setup",
      message,
      "see what defineTool takes: a name in snake_case, a semver version, a category",
    );
  return error(
    "setup_failed",
    "setup",
    message,
    "throw only for wrong options; what is not there can fail when a tool is called",
  );
}
