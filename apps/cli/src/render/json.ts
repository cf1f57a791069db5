import type { Renderer } from "./renderer.ts";

/** `--output json`: the result object alone, on stdout. */
export function jsonRenderer(stdout: NodeJS.WritableStream): Renderer {
  return {
    event: () => {},
    result: (result) => void stdout.write(`${JSON.stringify(result, null, 2)}\n`),
  };
}
