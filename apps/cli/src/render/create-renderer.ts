import type { Io } from "../io.ts";
import { jsonRenderer } from "./json.ts";
import type { Renderer } from "./renderer.ts";
import { streamRenderer } from "./stream.ts";
import { textRenderer } from "./text.ts";

const RENDERERS = {
  text: ({ stdout, stderr }: Io) => textRenderer(stdout, stderr),
  json: ({ stdout }: Io) => jsonRenderer(stdout),
  "stream-json": ({ stdout }: Io) => streamRenderer(stdout),
} satisfies Record<string, (io: Io) => Renderer>;

/** The values of `--output`. */
export const OUTPUTS: readonly string[] = Object.keys(RENDERERS);

export function createRenderer(output: string, io: Io): Renderer {
  return RENDERERS[output as keyof typeof RENDERERS](io);
}
