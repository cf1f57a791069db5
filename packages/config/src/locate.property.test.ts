import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { locateInCode } from "./locate-in-code.ts";
import { locateInYaml } from "./locate-in-yaml.ts";
import { pathOf, placeOf } from "./shape.ts";

type Path = readonly (string | number)[];

/** Every path into a value, and what stands there in its JSON. */
function pathsOf(value: unknown, path: Path = []): { path: Path; starts: string }[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]: [string, unknown]) => {
    const step = Array.isArray(value) ? Number(key) : key;
    const here = [...path, step];
    const starts = typeof step === "string" ? `${JSON.stringify(key)}:` : (JSON.stringify(item)[0] ?? "");
    return [{ path: here, starts }, ...pathsOf(item, here)];
  });
}

const trees = fc.dictionary(
  fc.string({ maxLength: 6 }),
  fc.jsonValue({ maxDepth: 4 }).filter((value) => value !== undefined),
);
const options = { seed: 11, numRuns: process.env["TOYCODER_SOAK"] === "1" ? 20_000 : 300 };

test("every place of every JSON is found, however it is set", () => {
  fc.assert(
    fc.property(trees, fc.constantFrom(0, 1, 2, "\t"), (tree, indent) => {
      const text = JSON.stringify(tree, null, indent);
      for (const { path, starts } of pathsOf(JSON.parse(text))) {
        const offset = locateInCode(text, path);
        expect(text.slice(offset).replace(/^("(?:[^"\\]|\\.)*")\s*:/, "$1:")).toMatch(
          new RegExp(`^${starts.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`),
        );
        expect(offset).toBeDefined();
      }
    }),
    options,
  );
});

test("a place's text gives its path back", () => {
  const step = fc.oneof(
    fc.nat({ max: 99 }),
    fc.string({ maxLength: 6 }),
    fc.constantFrom("a", "a-b", "x.y", '"', "\\"),
  );
  fc.assert(
    fc.property(fc.array(step, { minLength: 1 }), (path) => {
      expect(pathOf(path.reduce<string>((place, key) => placeOf(place, key), ""))).toEqual(path);
    }),
    options,
  );
});

/** Where `^` stands in the text is the place. */
const marked = (text: string): [text: string, offset: number | undefined] => {
  const offset = text.indexOf("^");
  return [text.replace("^", ""), offset === -1 ? undefined : offset];
};

describe("in a module", () => {
  test.each<[string, string, Path]>([
    ["an object", "export default { a: 1, ^b: 2 };", ["b"]],
    [
      "a call",
      'import x from "y";\nexport default defineConfig({ a: { b: [1, ^two(3, 4), 5] } });',
      ["a", "b", 1],
    ],
    ["a method call", "export default toycoder.defineConfig({ ^a: 1 });", ["a"]],
    ["what else is in the file", "const c = { a: 1 };\nexport default { ^a: c };", ["a"]],
    [
      "comments and strings",
      'export default { // a: 1\n  x: "a: 1, {", /* a: */ y: `{ a: ${1}`, ^a: 2 };',
      ["a"],
    ],
    ["quoted keys", "export default { 'x': 1, ^\"a\": 1 };", ["a"]],
    ["functions around it", "export default { hooks: { f: (x) => { return { a: 1 }; } }, ^a: 1 };", ["a"]],
    ["twice: not told", "export default { a: 1, a: 2 };", ["a"]],
    ["a name: not told", "const a = { b: 1 };\nexport default { a };", ["a", "b"]],
    ["after a spread: not told", "export default { list: [...more, 1] };", ["list", 1]],
    ["elsewhere: not told", "const config = { a: 1 };\nexport default config;", ["a"]],
    ["no export", "x", ["a"]],
  ])("%s", (_, source, path) => {
    const [text, offset] = marked(source);
    expect(locateInCode(text, path)).toBe(offset);
  });
});

describe("in YAML", () => {
  test.each<[string, string, Path]>([
    ["a key", "a: 1\n^b: 2\n", ["b"]],
    ["a key within", "a:\n  x: 1\nb:\n  y: 1\n  ^x: 2\n", ["b", "x"]],
    ["an entry", "a:\n  - x\n  ^- y\n", ["a", 1]],
    ["an entry that is not indented", "a:\n- x\n^- y\nb: 1\n", ["a", 1]],
    ["a key of an entry", "a:\n  - x: 1\n    y: 1\n  - x: 2\n    ^y: 2\n", ["a", 1, "y"]],
    ["a list in a list", "a:\n  - - x\n    ^- y\n", ["a", 0, 1]],
    ["comments and a document's start", "# b: 1\n---\na: 1\n^b: 2\n", ["b"]],
    ["quoted keys", 'a: 1\n^"b": 2\n', ["b"]],
    ["flow style: the key", "a: 1\n^b: { c: [1, 2] }\n", ["b", "c", 1]],
    ["twice: not told", "a: 1\na: 2\n", ["a"]],
    ["absent", "a: 1\n", ["b"]],
  ])("%s", (_, source, path) => {
    const [text, offset] = marked(source);
    expect(locateInYaml(text, path)).toBe(offset);
  });
});
