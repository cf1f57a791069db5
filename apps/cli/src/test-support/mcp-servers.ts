import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(
  new URL("../../../../packages/mcp/src/test-support/faulty-server.ts", import.meta.url),
);

/** The entry of a server that misbehaves by flags and tools, and the mark by which its processes are found. */
export function faultyServer(...flags: string[]): {
  entry: { command: string; args: string[] };
  mark: string;
} {
  const mark = `--mark=${randomUUID()}`;
  return { entry: { command: process.execPath, args: [SCRIPT, mark, ...flags] }, mark };
}
