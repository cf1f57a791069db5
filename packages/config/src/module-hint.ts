import path from "node:path";

/** What Node says of a module that cannot be run as it is → what to write instead. The first that fits counts. */
const HINTS: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [
    /TypeScript enum/,
    "Node only strips types: write a union of literals, or a const object, instead of an enum",
  ],
  [
    /TypeScript namespace|TypeScript module/,
    "Node only strips types: write a module of its own, or a const object, instead of a namespace",
  ],
  [/parameter property/, "Node only strips types: declare the field, and assign it in the constructor"],
  [/import equals|export assignment/, 'Node only strips types: write import x from "…", and export default'],
  [/angle-bracket/, "Node only strips types: write x as T instead of <T>x"],
  [/strip-only mode|type strip mode/, "Node only strips types: write it without TypeScript's own syntax"],
  [
    /\b(?:module|exports) is not defined/,
    "a config is an ES module: write export default defineConfig({ … }) instead of module.exports",
  ],
  [/require is not defined/, 'a config is an ES module: write import x from "…" instead of require("…")'],
  [/import attribute/, 'write import x from "./FILE.json" with { type: "json" }'],
];

/** The way out of an error of a config's module, where there is a known one. */
export function moduleHint(message: string, file: string, sourceLine = ""): string | undefined {
  const [, hint] = HINTS.find(([pattern]) => pattern.test(message)) ?? [];
  if (hint !== undefined) return hint;
  if (sourceLine.trimStart().startsWith("@"))
    return "Node does not run decorators; call the function instead";
  const [, name] = /does not provide an export named '([^']+)'/.exec(message) ?? [];
  if (name !== undefined) {
    return /\.[cm]?ts$/.test(file)
      ? `if ${name} is a type, import it as one: import { type ${name} } from "…"`
      : "see how the module spells it";
  }
  if (/'(?:export|import)'|outside a module/.test(message)) {
    if (path.extname(file) === ".cjs")
      return "a .cjs file is CommonJS: write module.exports, or call it .mjs";
    if (path.extname(file) === ".js")
      return 'the package.json says "type": "commonjs": call the file .ts or .mjs, or write module.exports';
  }
  return undefined;
}
