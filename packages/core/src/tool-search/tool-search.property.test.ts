import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createToolIndex } from "../tool-search.ts";
import type { SearchableTool } from "./tool-fields.ts";

const numRuns = process.env.TOYCODER_SOAK === "1" ? 3000 : 200;

const words = ["read", "file", "get", "list", "user", "data2", "searching", "a", "the", "日志"];
const name = fc.oneof(
  fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/),
  fc
    .array(fc.constantFrom("get", "read", "file", "files", "x1"), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join("_")),
);
const text = fc.oneof(
  fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((parts) => parts.join(" ")),
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  // Lone surrogates.
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
    .map((codes) => String.fromCharCode(...codes)),
);
const tools: fc.Arbitrary<SearchableTool[]> = fc.uniqueArray(
  fc.record({
    name,
    description: text,
    tags: fc.array(text, { maxLength: 2 }),
    jsonSchema: fc.oneof(
      fc.constant({ type: "object", properties: { path: { description: "Where" } } }),
      fc.object() as fc.Arbitrary<Record<string, never>>,
    ),
  }),
  { selector: (tool) => tool.name, minLength: 1, maxLength: 12 },
);

describe("for any tools and any request", () => {
  test("search never throws, and gives tools once, best first", () => {
    fc.assert(
      fc.property(tools, text, fc.integer({ min: 0, max: 15 }), (tools, request, limit) => {
        const found = createToolIndex(tools).search(request, { limit });
        expect(found.length).toBeLessThanOrEqual(limit);
        expect(new Set(found.map((hit) => hit.tool)).size).toBe(found.length);
        for (const [at, hit] of found.entries()) {
          expect(tools).toContain(hit.tool);
          expect(hit.score).toBeGreaterThan(0);
          expect(hit.score).toBeLessThanOrEqual(found[at - 1]?.score ?? Infinity);
          expect(hit.matched.length).toBeGreaterThan(0);
        }
      }),
      { numRuns },
    );
  });

  test("the answer depends on nothing but the tools and the request", () => {
    fc.assert(
      fc.property(tools, text, text, (tools, request, before) => {
        const used = createToolIndex(tools);
        used.search(before);
        expect(used.search(request)).toEqual(createToolIndex(tools.toReversed()).search(request));
      }),
      { numRuns },
    );
  });

  test("a tool's name finds it first", () => {
    fc.assert(
      fc.property(tools, fc.nat(), (tools, at) => {
        const wanted = tools[at % tools.length]!;
        expect(createToolIndex(tools).search(wanted.name, { limit: 1 })[0]?.tool).toBe(wanted);
      }),
      { numRuns },
    );
  });

  test("two or more characters of a tool's name find it", () => {
    fc.assert(
      fc.property(tools, fc.nat(), fc.nat(), fc.nat(), (tools, at, from, more) => {
        const wanted = tools[at % tools.length]!;
        fc.pre(wanted.name.length >= 2);
        const start = from % (wanted.name.length - 1);
        const part = wanted.name.slice(start, start + 2 + (more % wanted.name.length));
        const found = createToolIndex(tools).search(part, { limit: tools.length });
        expect(found.map((hit) => hit.tool)).toContain(wanted);
      }),
      { numRuns },
    );
  });

  test("a part of a tag or description finds the tool", () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z]{3,12}$/),
        fc.nat(9),
        fc.constantFrom("tag", "description"),
        (word, at, where) => {
          const start = at % (word.length - 1);
          const tool: SearchableTool = {
            name: "t",
            description: where === "description" ? `About ${word} here.` : "A tool.",
            tags: where === "tag" ? [`${word} too`] : [],
          };
          expect(createToolIndex([tool]).search(word.slice(start, start + 2))).toHaveLength(1);
        },
      ),
      { numRuns },
    );
  });
});

test.each([
  ["words", "read the file and list users. "],
  ["one word", "abcdefghij"],
  ["Han characters", "读取文件然后搜索代码"],
  ["lone surrogates", "\ud800\udfff\udc00"],
  ["spaces", "   \n\t"],
  ["breaks", "a, and b. c! 。"],
  ["combining marks", "e\u0301\u0301\u0301"],
])("a request of 100 KB does no harm: %s", (_, piece) => {
  const index = createToolIndex([{ name: "read_file", description: "Read a file. 读取文件" }]);
  expect(() => index.search(piece.repeat(Math.ceil(100_000 / piece.length)))).not.toThrow();
});
