import { isDeepStrictEqual } from "node:util";
import { applyEdits, findNodeAtLocation, getNodeValue, modify, parseTree } from "jsonc-parser";
import { isNode, isSeq, parseDocument } from "yaml";
import type { Edit } from "./edit-module.ts";

/** A JSON config with one more entry in its `plugins`; see `editModule`. */
export function editJson(
  source: string,
  entry: unknown,
  names: readonly string[],
  defaults: readonly string[],
): Edit {
  const tree = parseTree(source);
  if (tree?.type !== "object") return undefined;
  const node = findNodeAtLocation(tree, ["plugins"]);
  const listed: unknown = node === undefined ? undefined : getNodeValue(node);
  if (node !== undefined && !Array.isArray(listed)) return undefined;
  if (Array.isArray(listed) && holds(listed, names)) return "present";
  const last = node?.children?.at(-1);
  if (
    node !== undefined &&
    last !== undefined &&
    !source.slice(node.offset, node.offset + node.length).includes("\n")
  ) {
    // A list on one line stays on one.
    const end = last.offset + last.length;
    return { text: `${source.slice(0, end)}, ${JSON.stringify(entry)}${source.slice(end)}` };
  }
  const [, indent = "  "] = /\n([ \t]+)\S/.exec(source) ?? [];
  const formattingOptions = {
    insertSpaces: !indent.includes("\t"),
    tabSize: indent.length,
    eol: source.includes("\r\n") ? "\r\n" : "\n",
  };
  const edits = Array.isArray(listed)
    ? modify(source, ["plugins", listed.length], entry, { formattingOptions, isArrayInsertion: true })
    : modify(source, ["plugins"], [...defaults, entry], { formattingOptions });
  return { text: applyEdits(source, edits) };
}

/** A YAML config with one more entry in its `plugins`, every other character as it was; see `editModule`. */
export function editYaml(
  source: string,
  entry: unknown,
  names: readonly string[],
  defaults: readonly string[],
): Edit {
  const document = parseDocument(source);
  if (document.errors.length > 0) return undefined;
  const listed: unknown = (document.toJS() as { plugins?: unknown } | null)?.plugins;
  if (listed !== undefined && !Array.isArray(listed)) return undefined;
  if (Array.isArray(listed) && holds(listed, names)) return "present";
  const wanted = [...(Array.isArray(listed) ? listed : defaults), entry];
  const text =
    listed === undefined
      ? `${source}${source === "" || source.endsWith("\n") ? "" : "\n"}plugins: [${wanted.map(scalar).join(", ")}]\n`
      : withItem(source, document.get("plugins", true), scalar(entry));
  const read: unknown =
    text === undefined ? undefined : (parseDocument(text).toJS() as { plugins?: unknown } | null)?.plugins;
  return text !== undefined && isDeepStrictEqual(read, wanted) ? { text } : undefined;
}

/** A name as it is, anything else as JSON, which is YAML, too. */
const scalar = (value: unknown): string =>
  typeof value === "string" && /^[a-z][\w.-]*$/.test(value) ? value : JSON.stringify(value);

function withItem(source: string, list: unknown, item: string): string | undefined {
  if (!isSeq(list) || !list.range) return undefined;
  const last = list.items.at(-1);
  const end = isNode(last) ? last.range?.[1] : undefined;
  const [start] = list.range;
  if (last === undefined) return `${source.slice(0, start + 1)}${item}${source.slice(start + 1)}`;
  if (end === undefined) return undefined;
  if (list.flow === true) return `${source.slice(0, end)}, ${item}${source.slice(end)}`;
  const indent = source.slice(source.lastIndexOf("\n", start - 1) + 1, start);
  // A comment at the end of the last item's line stays with it.
  const line = source.indexOf("\n", end);
  const at = line === -1 ? source.length : line;
  return `${source.slice(0, at)}\n${indent}- ${item}${source.slice(at)}`;
}

const holds = (listed: readonly unknown[], names: readonly string[]): boolean =>
  listed.some((one) => names.includes(String(Array.isArray(one) ? one[0] : one)));
