import { parse } from "@babel/parser";

/** A value of a config, and whether it is there already. */
export type Edit = { text: string } | "present" | undefined;

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

/**
 * The source of a config module with one more entry in its `plugins`, every other character as it was. `defaults`
 * are written out where the config names no plugins: they would no longer hold. Undefined where the module builds
 * its config in a way that cannot be followed.
 */
export function editModule(
  source: string,
  entry: string,
  names: readonly string[],
  defaults: readonly string[],
): Edit {
  let config: Node | undefined;
  try {
    const { program } = parse(source, { sourceType: "module", plugins: ["typescript"] }) as unknown as {
      program: { body: Node[] };
    };
    config = configObject(program.body);
  } catch {
    return undefined;
  }
  if (config === undefined) return undefined;
  const properties = config["properties"] as Node[];
  const plugins = properties.find((one) => one.type === "ObjectProperty" && keyOf(one) === "plugins");
  if (plugins === undefined) {
    if (properties.some(({ type }) => type === "SpreadElement")) return undefined;
    const list = [...defaults.map((name) => JSON.stringify(name)), entry].join(", ");
    return { text: withProperty(source, config, properties[0], `plugins: [${list}]`) };
  }
  const value = unwrapped(plugins["value"] as Node);
  if (value.type !== "ArrayExpression") return undefined;
  const elements = (value["elements"] as (Node | null)[]).filter((one) => one !== null);
  if (elements.some((one) => names.includes(nameOf(one) ?? ""))) return "present";
  return { text: withElement(source, value, elements.at(-1), entry) };
}

/** The object that the module exports as its default, through calls, casts and constants. */
function configObject(body: readonly Node[]): Node | undefined {
  for (const statement of body) {
    const exported =
      statement.type === "ExportDefaultDeclaration"
        ? (statement["declaration"] as Node)
        : commonExport(statement);
    if (exported !== undefined) return objectOf(exported, body, 0);
  }
  return undefined;
}

function commonExport(statement: Node): Node | undefined {
  const { left, right } = (statement["expression"] ?? {}) as { left?: Node; right?: Node };
  const isModule =
    (left?.["object"] as Node | undefined)?.["name"] === "module" &&
    (left?.["property"] as Node | undefined)?.["name"] === "exports";
  return isModule ? right : undefined;
}

function objectOf(given: Node, body: readonly Node[], depth: number): Node | undefined {
  const node = unwrapped(given);
  if (node.type === "ObjectExpression") return node;
  if (depth > 4) return undefined;
  if (node.type === "CallExpression") {
    const [first] = node["arguments"] as Node[];
    return (node["callee"] as Node)["name"] === "defineConfig" && first !== undefined
      ? objectOf(first, body, depth + 1)
      : undefined;
  }
  if (node.type !== "Identifier") return undefined;
  for (const statement of body) {
    const declared = (
      statement.type === "ExportNamedDeclaration" ? statement["declaration"] : statement
    ) as Node | null;
    if (declared?.type !== "VariableDeclaration" || declared["kind"] !== "const") continue;
    for (const { id, init } of declared["declarations"] as { id: Node; init: Node | null }[])
      if (id["name"] === node["name"] && init !== null) return objectOf(init, body, depth + 1);
  }
  return undefined;
}

function unwrapped(node: Node): Node {
  const isCast =
    /^(?:TSAsExpression|TSSatisfiesExpression|TSNonNullExpression|ParenthesizedExpression)$/.test(node.type);
  return isCast ? unwrapped(node["expression"] as Node) : node;
}

const keyOf = (property: Node): unknown => {
  const key = property["key"] as Node;
  return key["name"] ?? key["value"];
};

/** The name of a plugin in an entry: a text, or the first of a pair. */
function nameOf(entry: Node): string | undefined {
  if (entry.type === "StringLiteral") return entry["value"] as string;
  const [first] = entry.type === "ArrayExpression" ? (entry["elements"] as (Node | null)[]) : [];
  return first?.type === "StringLiteral" ? (first["value"] as string) : undefined;
}

const indentAt = (source: string, at: number): string =>
  /^[ \t]*/.exec(source.slice(lineStart(source, at)))?.[0] ?? "";
const lineStart = (source: string, at: number): number => source.lastIndexOf("\n", at - 1) + 1;
const isOneLine = (source: string, from: number, to: number): boolean =>
  !source.slice(from, to).includes("\n");

function withProperty(source: string, object: Node, first: Node | undefined, property: string): string {
  const at = object.start + 1;
  const put = (text: string): string => source.slice(0, at) + text + source.slice(at);
  if (first === undefined)
    return put(
      isOneLine(source, at, object.end)
        ? ` ${property} `
        : `\n${indentAt(source, object.start)}  ${property},`,
    );
  if (isOneLine(source, at, first.start)) return put(` ${property},`);
  return put(`\n${indentAt(source, first.start)}${property},`);
}

function withElement(source: string, list: Node, last: Node | undefined, entry: string): string {
  const close = list.end - 1;
  if (last === undefined) return source.slice(0, list.start + 1) + entry + source.slice(list.start + 1);
  if (isOneLine(source, last.end, close))
    return `${source.slice(0, last.end)}, ${entry}${source.slice(last.end)}`;
  // Comments at the line's end stay with the entry that they are about.
  const between = source.slice(last.end, close).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  const comma = between.includes(",") ? "" : ",";
  const line = lineStart(source, close);
  return `${source.slice(0, last.end)}${comma}${source.slice(last.end, line)}${indentAt(source, last.start)}${entry},\n${source.slice(line)}`;
}
