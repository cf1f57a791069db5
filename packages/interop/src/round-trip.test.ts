import { isDeepStrictEqual } from "node:util";
import type { Session, Tool } from "@toycoder/core";
import { isPlainRoot } from "@toycoder/core/wire";
import { tempWorkspace, toolBench } from "@toycoder/testing";
import { toolCases } from "@toycoder/testing/tool-corpus";
import { afterAll, expect, test } from "vitest";
import { fromAiSdkTools } from "./ai-sdk/from-ai-sdk-tools.ts";
import { toAiSdkTools } from "./ai-sdk/to-ai-sdk-tools.ts";
import type { ForeignTools, LeftOutTool } from "./foreign-options.ts";
import { fromLangChainTools } from "./langchain/from-lang-chain-tools.ts";
import { toLangChainTools } from "./langchain/to-lang-chain-tools.ts";
import { sampleTools } from "./test-support/sample-tools.ts";

const folder = tempWorkspace();
afterAll(() => folder.dispose());
const { root } = folder;

type Way = (session: Session, onLeftOut: (tool: LeftOutTool) => void) => Promise<ForeignTools>;

const ways: Record<string, Way> = {
  "the AI SDK": (session, onLeftOut) => fromAiSdkTools(toAiSdkTools(session, { onLeftOut })),
  LangChain: async (session, onLeftOut) => fromLangChainTools(toLangChainTools(session, { onLeftOut })),
};

/** A root that is a union, an intersection or a reference is told as one plain object, which every provider takes. */
const FLATTENED = [
  "discriminated-union-root",
  "one-or-the-other",
  "references-into-union",
  "root-all-of",
  "root-closed-all-of",
  "root-reference",
  "union-beside-properties",
];

test.each(Object.keys(ways))(
  "through %s and back, every tool of the corpus keeps its schema",
  async (way) => {
    const changed: string[] = [];
    const leftOut: string[] = [];
    let count = 0;
    for (const { name, tools } of toolCases) {
      for (const tool of tools) {
        const { session } = toolBench([tool], { root });
        const back = await ways[way]!(session, (left) => void leftOut.push(`${left.name}: ${left.reason}`));
        expect(back.leftOut).toEqual([]);
        for (const same of back.tools) {
          count++;
          expect(same.description).toBe(tool.description);
          // What a provider takes as a name, whatever the tool is called here.
          expect(same.tags[0]).toMatch(/^[\w-]{1,64}$/);
          if (!isDeepStrictEqual(plain(same), plain(tool))) changed.push(name);
          if (FLATTENED.includes(name)) expect(isPlainRoot(same.jsonSchema)).toBe(true);
        }
      }
    }
    expect(changed).toEqual(FLATTENED);
    expect(leftOut).toEqual([
      "not_convertible: tool not_convertible: Date cannot be represented in JSON Schema",
    ]);
    expect(count).toBeGreaterThan(60);
  },
);

test.each(Object.keys(ways))("through %s and back, calls come to the same", async (way) => {
  const { tools, ran } = sampleTools();
  const straight = toolBench(tools, { root, policy: { allow: ["remove(tmp/**)"] } });
  const back = await ways[way]!(straight.session, () => {});
  const around = toolBench(back.tools, { root });
  const calls: [string, Record<string, unknown>][] = [
    ["add", { a: 1, b: 2 }],
    ["add", { a: 1 }],
    ["look", {}],
    ["remove", { path: "tmp/a" }],
    ["remove", { path: "src/a" }],
    ["remove", { path: "../a" }],
  ];
  for (const [name, args] of calls) {
    const [one, other] = [await straight.call(name, args), await around.call(name, args)];
    expect(other.content).toEqual(one.content);
    expect(other.ok || other.error).toEqual(one.ok || one.error);
  }
  expect(ran).toEqual(["add", "add", "look", "look", "remove tmp/a", "remove tmp/a"]);
  // The rules of both sessions hold: the outer one knows no effects of these tools, and judges by name and level.
  const strict = toolBench(back.tools, { root, policy: { deny: ["look"] } });
  expect(await strict.call("look", {})).toMatchObject({ error: { code: "permission_denied" } });
  expect(await strict.call("remove", { path: "tmp/a" })).toMatchObject({
    error: { code: "approval_required" },
  });
  expect(ran).toHaveLength(6);
});

const plain = ({ jsonSchema }: Tool): unknown => JSON.parse(JSON.stringify(jsonSchema));
