import { randomUUID } from "node:crypto";
import { dispatch, textOf } from "@toycoder/core";
import type { ParsedFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { plainText } from "../render/plain-text.ts";
import type { SetUp } from "../set-up.ts";

/** Codes with which a call is turned away. */
const REFUSALS: ReadonlySet<string> = new Set([
  "permission_denied",
  "approval_required",
  "tool_disabled",
  "outside_workspace",
]);

/** Calls one tool under the policy and prints its result; resolves to the exit code. */
export async function callTool(
  name: string,
  args: Record<string, unknown>,
  ready: SetUp,
  flags: ParsedFlags,
  io: Io,
): Promise<number> {
  const session = ready.openSession();
  try {
    const id = `cli_${randomUUID().slice(0, 8)}`;
    const result = await dispatch({ id, name, arguments: args }, session, { signal: io.signal });
    if (flags.has("json")) io.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    else (result.ok ? io.stdout : io.stderr).write(`${plainText(textOf(result.content))}\n`);
    io.signal.throwIfAborted();
    if (result.ok) return 0;
    return REFUSALS.has(result.error.code) ? 6 : 9;
  } finally {
    session.dispose();
  }
}
