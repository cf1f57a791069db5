import path from "node:path";
import { definePlugin, type PluginFactory } from "@toycoder/core";
import * as z from "zod";
import { createRunCommand, MAX_TIMEOUT_SECONDS } from "./run-command.ts";
import { describeSandbox, sandboxInstructions } from "./sandbox/describe-sandbox.ts";
import { openSandbox, type SandboxMode } from "./sandbox/sandbox.ts";

/** Options of the plugin; all of them may be left out. */
export interface ShellOptions {
  /** Seconds that a command may take where the call says nothing: 30. */
  timeoutSeconds?: number | undefined;
  /** Variables that commands get although they look like secrets, by name; or with values, `true` for their own. */
  env?: string[] | Record<string, string | true> | undefined;
  /** Path of a bash or sh. */
  shell?: string | undefined;
  /** The most of one output that the session keeps: 256. */
  maxOutputMegabytes?: number | undefined;
  /** `auto`: commands run in a sandbox where there is one; `required`: nowhere else; `off` (default): without. */
  sandbox?: SandboxMode | undefined;
  /** Whether commands in the sandbox have a network: false. */
  network?: boolean | undefined;
}

const SHELL_NAMES = /^(?:bash|sh|dash)(?:\.exe)?$/;

const options = z.strictObject({
  timeoutSeconds: z.number().positive().max(MAX_TIMEOUT_SECONDS).default(30),
  env: z
    .union([z.array(z.string()), z.record(z.string(), z.union([z.string(), z.literal(true)]))])
    .default([]),
  shell: z
    .string()
    .refine((shell) => path.isAbsolute(shell) && SHELL_NAMES.test(path.basename(shell)), {
      error:
        "expected the absolute path of a bash or sh: permissions are worked out for their language alone",
    })
    .optional(),
  maxOutputMegabytes: z.number().positive().default(256),
  sandbox: z.enum(["auto", "required", "off"]).default("off"),
  network: z.boolean().default(false),
});

/** Brings `run_command`. At the end of the run it waits until nothing of a stopped command is left. */
export const shellPlugin: PluginFactory<ShellOptions> = definePlugin({
  name: "shell",
  version: "0.0.0",
  api: 1,
  options,
  setup: async (
    { timeoutSeconds, env, shell, maxOutputMegabytes, sandbox: mode, network },
    { secretVariables },
  ) => {
    const running = new Set<Promise<unknown>>();
    const sandbox = await openSandbox(mode, network);
    const tool = createRunCommand({
      timeoutSeconds,
      env,
      secretVariables,
      maxOutputBytes: maxOutputMegabytes * 1024 * 1024,
      sandbox,
      running,
      ...(shell === undefined ? {} : { shell }),
    });
    return {
      tools: [tool],
      instructions: sandboxInstructions(sandbox),
      status: { sandbox: describeSandbox(sandbox) },
      dispose: async () => void (await Promise.allSettled(running)),
    };
  },
});
