import { readFileSync } from "node:fs";
import type { JsonSchema } from "@toycoder/core";
import { hasProgram, tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { cassette } from "../test-support/cassette.ts";
import { runScript } from "../test-support/run-script.ts";

const DOCUMENT = readFileSync(new URL("../../../../docs/output.md", import.meta.url), "utf8");
const SCRIPTS = [...DOCUMENT.matchAll(/```sh\n(.*?)```/gs)].map(([, script = ""]) => script);
const schemaOf = (name: string): JsonSchema =>
  JSON.parse(
    readFileSync(new URL(`../../../../packages/agent/schemas/${name}.schema.json`, import.meta.url), "utf8"),
  ) as JsonSchema;

/** What each script prints, in the document's order; what differs from run to run is a pattern. */
const PRINTED = [
  /^modified a\.txt \+1 -1\n$/,
  /^completed \d+\n$/,
  /^write_file ok \d+ ms\n\[\s+\{\s+"path": "a\.txt",/,
  /^low\n$/,
  /^\{"summary":"tidy","risk":"low"\}\n$/,
  /^\{"summary":"tidy","risk":"low"\}\nwrite_file \d+ ms\n$/,
];

describe("docs/output.md", () => {
  it("has a script for each of the outputs", () => {
    expect(SCRIPTS).toHaveLength(PRINTED.length);
  });

  it.runIf(hasProgram("jq")).each(SCRIPTS.map((script, index) => ({ script, printed: PRINTED[index]! })))(
    "what it shows runs: $script",
    async ({ script, printed }) => {
      const calls = [{ name: "write_file", arguments: { path: "a.txt", content: "tidy\n" } }];
      const answer = '{"summary":"tidy","risk":"low"}';
      using folder = tempWorkspace({
        "c.jsonl": await cassette([{ calls }, { text: answer }]),
        "a.txt": "untidy\n",
        "screenshot.png": Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
        "toycoder.config.json": JSON.stringify({
          model: "replay:c.jsonl",
          permissions: { allow: ["write_file"] },
        }),
      });
      const { code, stdout, stderr } = await runScript(script, folder);
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(stdout).toMatch(printed);
    },
  );

  it("names every field of the result, and every field of every event", () => {
    const [ofResult = "", ofEvents = ""] = DOCUMENT.split("## Events");
    const { properties } = (schemaOf("result")["$defs"] as Record<string, JsonSchema>)["result"]!;
    for (const field of Object.keys(properties!))
      expect(ofResult).toMatch(new RegExp(`^\\| \`${field}\` `, "m"));
    const rowOf = (name: string): string => new RegExp(`^\\| \`${name}\` .*$`, "m").exec(ofEvents)?.[0] ?? "";
    const tokens = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens"];
    for (const event of schemaOf("event")["oneOf"] as JsonSchema[]) {
      const { v: _, at: __, parent: ___, type, ...own } = event.properties!;
      const name = String((type as JsonSchema).const);
      for (const field of Object.keys(own).filter((one) => !tokens.includes(one)))
        expect(rowOf(name), `${name}.${field}`).toContain(`\`${field}\``);
    }
  });
});
