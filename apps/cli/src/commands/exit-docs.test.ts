import { readFileSync } from "node:fs";
import { type ScriptedTurn, tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { cassette } from "../test-support/cassette.ts";
import { runScript } from "../test-support/run-script.ts";

const DOCUMENT = readFileSync(new URL("../../../../docs/exit-codes.md", import.meta.url), "utf8");
const SCRIPT = /```sh\n(.*?)```/s.exec(DOCUMENT)?.[1] ?? "";

const WRITE: ScriptedTurn = { calls: [{ name: "write_file", arguments: { path: "a.txt", content: "x" } }] };
const LOOK: ScriptedTurn = { calls: [{ name: "list_dir", arguments: {} }] };
const DONE: ScriptedTurn = { text: "Done." };

describe("docs/exit-codes.md", () => {
  it.each([
    ["completed", [DONE], {}, /^done\n$/],
    ["a lacking rule", [WRITE, DONE], {}, /^write_file\(\.\/a\.txt\)\n$/],
    ["a limit", [LOOK, LOOK], { limits: { turns: 1 } }, /^not finished/],
    ["anything else", [DONE], { tools: { disable: ["list_dir"] } }, /departs from its cassette/],
  ] as const)("has a script that tells %s", async (_, turns, config, printed) => {
    using folder = tempWorkspace({
      "c.jsonl": await cassette(turns),
      "toycoder.config.json": JSON.stringify({ model: "replay:c.jsonl", ...config }),
    });
    const { code, stdout, stderr } = await runScript(SCRIPT, folder);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toMatch(printed);
  });
});
