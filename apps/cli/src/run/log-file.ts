import { closeSync, constants, fchmodSync, fstatSync, openSync, writeSync } from "node:fs";
import path from "node:path";
import { stamp } from "@toycoder/agent";
import { type Mask, messageOf } from "@toycoder/core";
import type { ModelSettings } from "@toycoder/core/wire";
import type { Io } from "../io.ts";
import type { Renderer } from "../render/renderer.ts";
import type { SetUp } from "../set-up.ts";
import { UsageError } from "../usage-error.ts";
import { version } from "../version.ts";
import { logFetch } from "./log-fetch.ts";
import { eventLine, resultLine } from "./log-line.ts";
import { jsonMask, secretMask } from "./secret-mask.ts";

/** The file of `--log`: what a run did and when, line by line, without secrets. */
export interface LogFile {
  /** Shows what the renderer shows, and writes it down. */
  around(renderer: Renderer): Renderer;
  /** Tells that the config is loaded; from here on its credentials are known, and kept out. */
  ready(setUp: SetUp): void;
  wrapFetch: NonNullable<ModelSettings["wrapFetch"]>;
  close(): void;
}

/**
 * Opens the file, to be appended to and readable by its owner alone. Throws a UsageError where that can't be done.
 * Each line is written at once, in one piece. A disk that fills up later ends the log and not the run.
 */
export function openLog(file: string, io: Io): LogFile {
  const descriptor = openFile(path.resolve(io.cwd, file), file);
  const hidden = new Set<string>();
  let secrets: Mask = secretMask(undefined, io.env);
  let hide: Mask = (text) => text;
  let problem: string | undefined;

  const write = (line: object): void => {
    if (problem !== undefined) return;
    const at = new Date().toISOString();
    try {
      const bytes = Buffer.from(`${hide(secrets(JSON.stringify({ v: 1, at, ...line })))}\n`);
      for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
    } catch (error) {
      problem = `--log: ${messageOf(error)}; nothing further is written there`;
    }
  };
  const phase = (name: string): void =>
    write({ type: "phase", name, sinceStartMs: Math.round(performance.now()) });
  const keepOut = (values: readonly string[]): void => {
    for (const value of values) hidden.add(value);
    hide = jsonMask(Object.fromEntries([...hidden].map((value, index) => [`header ${index + 1}`, value])));
  };

  write({ type: "log_start", toycoder: version(), node: process.versions.node, platform: process.platform });
  phase("command_loaded");
  return {
    around: (renderer) => {
      let told = false;
      return {
        event(event) {
          const line = eventLine(event);
          if (line !== undefined)
            write({ ...line, ...(event.parent !== undefined && { parent: event.parent }) });
          renderer.event(event);
          if (problem === undefined || told) return;
          told = true;
          renderer.event(stamp({ type: "notice", code: "log_failed", message: problem }));
        },
        result(result) {
          write(resultLine(result));
          renderer.result(result);
        },
      };
    },
    ready: (setUp) => {
      secrets = secretMask(setUp, io.env);
      setUp.mcp?.observe((line) => write({ type: "mcp", ...line }));
      phase("config_loaded");
    },
    wrapFetch: (fetch) => logFetch(fetch, { write, hide: keepOut }),
    close: () => closeSync(descriptor),
  };
}

/** A regular file or a device: a pipe without a reader would hold the run up. */
function openFile(file: string, given: string): number {
  const problem = (what: string): UsageError => new UsageError(`--log ${given}: ${what}`);
  const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants;
  let descriptor: number;
  try {
    descriptor = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
  } catch (error) {
    throw problem(messageOf(error));
  }
  const stats = fstatSync(descriptor);
  if (stats.isFile()) {
    try {
      fchmodSync(descriptor, 0o600);
      return descriptor;
    } catch (error) {
      closeSync(descriptor);
      throw problem(`it cannot be made readable by its owner alone: ${messageOf(error)}`);
    }
  }
  if (stats.isCharacterDevice()) return descriptor;
  closeSync(descriptor);
  throw problem("it is no regular file");
}
