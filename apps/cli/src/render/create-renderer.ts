import type { Io } from "../io.ts";
import { githubRenderer, onGitHub } from "./github/github-renderer.ts";
import { jsonRenderer } from "./json.ts";
import type { Renderer } from "./renderer.ts";
import { streamRenderer } from "./stream.ts";
import { type TextOptions, textRenderer } from "./text.ts";

const RENDERERS = {
  text: (io: Io, options?: TextOptions) =>
    onGitHub(io) ? githubRenderer(io, options) : textRenderer(io.stdout, io.stderr, options),
  json: ({ stdout }: Io) => jsonRenderer(stdout),
  "stream-json": ({ stdout }: Io) => streamRenderer(stdout),
} satisfies Record<string, (io: Io, options?: TextOptions) => Renderer>;

/** The values of `--output`. */
export const OUTPUTS: readonly string[] = Object.keys(RENDERERS);

export function createRenderer(output: string, io: Io, options?: TextOptions): Renderer {
  return RENDERERS[output as keyof typeof RENDERERS](io, options);
}
