import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ToolError } from "@toycoder/core";
import type { CallScope } from "../engine.ts";
import type { Question, Request, Response } from "./request.ts";

const isSource = import.meta.url.endsWith(".ts");
const CHILD = fileURLToPath(new URL(`./child.${isSource ? "ts" : "js"}`, import.meta.url));
const GRACE_MS = 5_000;

/** Has a process of its own do what is asked. It is gone when this settles: by itself, or killed. */
export async function askChild(question: Question, { signal, timeoutSeconds }: CallScope): Promise<unknown> {
  const limitMs = Math.ceil(timeoutSeconds * 1000);
  const limit = AbortSignal.timeout(limitMs);
  const request: Request = { question, lifeMs: limitMs + GRACE_MS };
  const { text, killed } = await run(JSON.stringify(request), AbortSignal.any([signal, limit]));
  if (signal.aborted) throw new ToolError("cancelled", "the statement was stopped");
  if (killed && limit.aborted) {
    throw new ToolError("timeout", `the statement took over ${timeoutSeconds} s and was stopped`, {
      hint: "narrow it: fewer rows, an indexed column in WHERE, no endless recursion",
    });
  }
  if (killed) {
    throw new ToolError("out_of_memory", "the statement took over 512 MB and was stopped", {
      hint: "narrow it: fewer rows to sort or group, shorter values",
    });
  }
  const response = parse(text);
  if (response === undefined) throw new ToolError("sqlite_failed", "the process that reads the file failed");
  if (response.ok) return response.value;
  const { code, message, hint } = response.error;
  throw new ToolError(code, message, hint === undefined ? {} : { hint });
}

function parse(text: string): Response | undefined {
  try {
    return JSON.parse(text) as Response;
  } catch {
    return undefined;
  }
}

/** Gets the child's whole stdout, or an empty text where it came to no end of its own. */
function run(input: string, stop: AbortSignal): Promise<{ text: string; killed: boolean }> {
  const { SystemRoot } = process.env;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--no-warnings", CHILD], {
      stdio: ["pipe", "pipe", "ignore"],
      env: SystemRoot === undefined ? {} : { SystemRoot },
      windowsHide: true,
    });
    const kill = (): void => void child.kill("SIGKILL");
    if (stop.aborted) kill();
    else stop.addEventListener("abort", kill, { once: true });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    // A child that is killed does not read what it is told.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.on("error", reject);
    child.on("close", (_code, signal) => {
      stop.removeEventListener("abort", kill);
      const killed = signal !== null;
      resolve({ text: killed ? "" : Buffer.concat(chunks).toString("utf8"), killed });
    });
  });
}
