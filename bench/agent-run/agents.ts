import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Api } from "./model-server.ts";

/** An agent's command line: what stands after `node`, and its environment. */
export interface Command {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

export interface Agent {
  name: string;
  api: Api;
  /** `origin` is the model's server. */
  command(task: string, origin: string): Command;
}

export const TOYCODER: string = fileURLToPath(new URL("../../apps/cli/dist/bin.js", import.meta.url));
const FLOOR = fileURLToPath(new URL("../floor/loop.mjs", import.meta.url));

const MODELS: Readonly<Record<Api, string>> = {
  chat: "openai-chat:scripted",
  responses: "openai:scripted",
  messages: "anthropic:scripted",
};

const keys = (origin: string): Record<string, string> => ({
  OPENAI_BASE_URL: `${origin}/v1`,
  OPENAI_API_KEY: "scripted",
  ANTHROPIC_BASE_URL: origin,
  ANTHROPIC_API_KEY: "scripted",
});

/** The built command, as a CI job calls it. `nodeArgs` come before it, `more` are further flags. */
export function toycoder(
  api: Api,
  { nodeArgs = [], more = [] }: { nodeArgs?: readonly string[]; more?: readonly string[] } = {},
): Agent {
  return {
    name: `toycoder, ${api}`,
    api,
    command: (task, origin) => ({
      args: [
        ...nodeArgs,
        TOYCODER,
        "run",
        task,
        "--yes",
        "--enable=run_command",
        "--max-turns=10000",
        `--model=${MODELS[api]}`,
        ...more,
      ],
      env: keys(origin),
    }),
  };
}

/** The bare loop. */
export const floor: Agent = {
  name: "floor",
  api: "chat",
  command: (task, origin) => ({ args: [FLOOR, task], env: keys(origin) }),
};

/** What every measured process sees, and no more. Whatever an agent keeps between runs, it keeps in `home`. */
export function environment(home: string): Record<string, string> {
  const { PATH = "" } = process.env;
  return { PATH, HOME: home, TMPDIR: path.join(home, "tmp"), TERM: "dumb", CI: "1", NO_COLOR: "1" };
}
