import { globSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { TOYCODER, toycoder } from "./agents.ts";
import { measure } from "./measure.ts";
import { type Place, runOnce } from "./run-once.ts";
import { hello } from "./scenario.ts";

/** What a process loads: files with their size, and Node's own modules. */
export interface Loaded {
  files: number;
  bytes: number;
  builtins: number;
}

/** The arguments of node that make it write what it loads into a file. */
function counting(out: string): readonly string[] {
  const url = new URL("count-modules.mjs", import.meta.url);
  url.searchParams.set("out", out);
  return ["--import", url.href];
}

function readLoaded(out: string): Loaded {
  const urls = [...new Set(JSON.parse(readFileSync(out, "utf8")) as string[])];
  const files = urls.filter((url) => url.startsWith("file:"));
  return {
    files: files.length,
    bytes: files.reduce((sum, url) => sum + statSync(fileURLToPath(url)).size, 0),
    builtins: urls.filter((url) => url.startsWith("node:")).length,
  };
}

/** What the command loads to say hello, from start to exit, and the size of its request. */
export async function loadedByHello(place: Place): Promise<Loaded & { firstRequestBytes: number }> {
  const out = path.join(place.scratch, "loaded.json");
  const { firstRequestBytes } = await runOnce(toycoder("chat", { nodeArgs: counting(out) }), hello, place);
  return { ...readLoaded(out), firstRequestBytes };
}

/** What `toycoder --version` loads. */
export async function loadedByVersion(
  scratch: string,
  env: Readonly<Record<string, string>>,
): Promise<Loaded> {
  const out = path.join(scratch, "loaded.json");
  await measure([...counting(out), TOYCODER, "--version"], scratch, env);
  return readLoaded(out);
}

/** Bytes of the JavaScript that the command's package has. */
export function bundleBytes(): number {
  const dist = path.dirname(TOYCODER);
  return globSync("**/*.js", { cwd: dist }).reduce(
    (sum, file) => sum + statSync(new URL(file, pathToFileURL(`${dist}/`))).size,
    0,
  );
}
