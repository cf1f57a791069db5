import { stamp } from "@toycoder/agent";
import { inertJson } from "./github/inert.ts";
import type { Renderer } from "./renderer.ts";

/** `--output stream-json`: one event a line, deltas included; the last line is the result. */
export function streamRenderer(stdout: NodeJS.WritableStream): Renderer {
  const line = (value: object): void => void stdout.write(`${inertJson(JSON.stringify(value))}\n`);
  return {
    event: (event) => {
      if (event.type !== "result") line(event);
    },
    result: (result) => line(stamp({ type: "result", result })),
  };
}
