import { inertJson } from "./github/inert.ts";
import type { Renderer } from "./renderer.ts";

/** `--output json`: the result object alone, on stdout. */
export function jsonRenderer(stdout: NodeJS.WritableStream): Renderer {
  return {
    event: () => {},
    result: (result) => void stdout.write(`${inertJson(JSON.stringify(result, null, 2))}\n`),
  };
}
