import type { PermissionLevel } from "@toycoder/core";
import { matchesGlob } from "@toycoder/core/wire";
import type { JudgedTool } from "./judge-tool.ts";
import type { McpServerConfig } from "./server-config.ts";

/** The permission level of a server's tool. */
export function toolLevel(
  { name, annotations }: Pick<JudgedTool, "name" | "annotations">,
  config: McpServerConfig,
): PermissionLevel {
  const named = Object.entries(config.tools ?? {}).findLast(([glob]) => matchesGlob(name, glob));
  if (named !== undefined) return named[1];
  if (config.trustAnnotations === true) {
    if (annotations["readOnlyHint"] === true) return "safe";
    if (annotations["destructiveHint"] === true) return "dangerous";
  }
  return config.permission ?? "sensitive";
}

/** Why a tool is not taken, or undefined where it is. */
export function whyExcluded(name: string, { include, exclude }: McpServerConfig): string | undefined {
  if (include !== undefined && !include.some((glob) => matchesGlob(name, glob))) return "not in include";
  if (exclude?.some((glob) => matchesGlob(name, glob)) === true) return "in exclude";
  return undefined;
}
