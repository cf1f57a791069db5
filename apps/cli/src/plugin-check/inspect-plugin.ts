import { mkdirSync } from "node:fs";
import path from "node:path";
import { resolvePlugins } from "@toycoder/config";
import { messageOf, type Plugin, type PluginParts, type Tool } from "@toycoder/core";
import { encodeTools as encodeAnthropic } from "@toycoder/provider-anthropic";
import { encodeChatTools, encodeTools as encodeOpenAi } from "@toycoder/provider-openai";
import {
  checkAnthropicTool,
  checkOpenAiTool,
  encodeFindings,
  type Finding,
  inspectTool,
  newHandles,
  openHandles,
  type ToolEncoder,
  watchEffects,
  type WatchedEffect,
} from "@toycoder/testing";
import { BUILTINS } from "../builtins.ts";
import { importFrom } from "../resolve-toycoder.ts";
import { callOddly, MARKER } from "./call-oddly.ts";
import type { Inspection, InspectionTask } from "./inspection.ts";
import { error, failedSetup, identityFindings, loadFinding } from "./load-findings.ts";
import { setupFindings } from "./setup-findings.ts";
import { toolsetFindings } from "./toolset-findings.ts";

const ENCODERS: readonly ToolEncoder[] = [
  { name: "OpenAI Responses", encode: (tools) => encodeOpenAi(tools), check: checkOpenAiTool },
  { name: "OpenAI Chat Completions", encode: (tools) => encodeChatTools(tools), check: checkOpenAiTool },
  { name: "Anthropic Messages", encode: (tools) => encodeAnthropic(tools), check: checkAnthropicTool },
];

/** Loads a plugin as a config would, sets it up and looks at all that it brings. In a process for this alone. */
export async function inspectPlugin(task: InspectionTask): Promise<Inspection> {
  const workspace = path.join(task.folder, "workspace");
  mkdirSync(workspace);
  process.chdir(workspace);
  const nothing: Inspection = { plugin: null, tools: [], providers: [], findings: [] };
  // They are opened when they are first read: that is no doing of the plugin.
  void [process.stdin, process.stdout, process.stderr];
  const seen = watchEffects({ writable: task.folder, watchRead: (file) => file.includes(MARKER) });
  let plugin: Plugin;
  try {
    plugin = await load(task, task.options);
  } catch (thrown) {
    return { ...nothing, findings: [loadFinding(thrown)] };
  }
  const identity = { name: plugin.name, version: plugin.version };
  const findings = identityFindings(plugin, task);
  const handles = openHandles();
  const context = { root: workspace, secretVariables: [] };
  const before = seen.length;
  let parts: PluginParts;
  try {
    parts = await plugin.setup(context);
  } catch (thrown) {
    const network = seen.slice(before).find(({ kind }) => kind === "network");
    return { ...nothing, plugin: identity, findings: [...findings, failedSetup(thrown, network)] };
  }
  if (!Array.isArray(parts?.tools)) {
    const wrong = error(
      "setup_failed",
      "setup",
      "it gives no list of tools",
      "return { tools: [] } where it brings none",
    );
    return { ...nothing, plugin: identity, findings: [...findings, wrong] };
  }
  findings.push(
    ...(await setupFindings(seen.slice(before), task, (options) => load(task, options), context)),
  );
  const { tools } = parts;
  const calls = new Map<string, number>();
  for (const tool of tools) {
    const found = inspectTool(tool);
    findings.push(...found);
    if (found.some(({ code }) => code === "schema_not_convertible")) continue;
    for (const encoder of ENCODERS) findings.push(...encodeFindings(tool, encoder));
  }
  findings.push(...toolsetFindings(parts, task.isPackage ? plugin.name : undefined));
  for (const tool of tools) {
    const odd = await callOddly(tool, workspace, seen);
    calls.set(tool.name, odd.calls);
    findings.push(...odd.findings);
  }
  findings.push(...(await disposalFindings(parts, handles, seen)));
  return {
    plugin: identity,
    tools: tools.map((tool: Tool) => ({
      name: tool.name,
      version: tool.version,
      level: tool.permission,
      category: tool.category,
      effects: tool.effects !== undefined,
      calls: calls.get(tool.name) ?? 0,
    })),
    providers: Object.keys(parts.providers ?? {}),
    findings,
  };
}

async function load(task: InspectionTask, options: InspectionTask["options"]): Promise<Plugin> {
  const { module, isPackage } = task;
  const entry = module.startsWith("file:") ? (isPackage ? "toycoder-plugin-checked" : "./checked") : module;
  const given = Object.keys(options).length === 0 ? entry : ([entry, options] as const);
  const [plugin] = await resolvePlugins([given], {
    builtins: BUILTINS,
    importer: () => importFrom(module, import.meta.filename),
    folder: task.folder,
  });
  if (plugin === undefined) throw new Error("it brings no plugin");
  return plugin;
}

async function disposalFindings(
  parts: PluginParts,
  before: readonly string[],
  seen: readonly WatchedEffect[],
): Promise<Finding[]> {
  try {
    await parts.dispose?.();
  } catch (thrown) {
    return [
      error(
        "dispose_failed",
        "dispose",
        messageOf(thrown),
        "let dispose end what setup began, whatever state it is in",
      ),
    ];
  }
  await new Promise((resolve) => setImmediate(resolve));
  const left = newHandles(before, seen);
  if (left.length === 0) return [];
  return [
    error(
      "leaves_open",
      "dispose",
      `it leaves open: ${left.join(", ")}`,
      "end timers, servers and connections in dispose",
    ),
  ];
}
