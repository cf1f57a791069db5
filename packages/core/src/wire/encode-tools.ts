import { type ErrorInfo, errorInfo, isSetupError, messageOf } from "../errors.ts";
import type { ToolCall } from "../message.ts";
import { isRecord, type JsonSchema } from "../schema/json-schema.ts";
import type { Tool } from "../tool.ts";
import { createAliases, type NameLimits } from "./alias.ts";
import { aliasProperties } from "./alias-properties.ts";
import { cleanSchema, type CleanRules, type LostKeyword } from "./clean-schema.ts";
import { flattenRoot, isPlainRoot } from "./flatten-root.ts";
import { hoistReferences } from "./hoist-references.ts";
import { toStrictSchema } from "./strict-schema.ts";

/** What a server takes as names and schemas of tools. */
export interface WireRules extends CleanRules {
  names: NameLimits;
  /** What the server takes as the name of a property at the root; any name without it. */
  properties?: NameLimits;
  /** Whether a tool goes in strict form where strict mode can say it. */
  strict: boolean;
}

/** A tool as a provider sees it. */
export interface WireTool {
  name: string;
  description: string;
  schema: JsonSchema;
  /** True where `schema` is in strict form. */
  strict: boolean;
}

/** Undoes what encoding changed: names and arguments. */
export interface ToolCodec {
  encodeName(name: string): string;
  decodeName(wireName: string): string;
  /**
   * The arguments of a call as the tool's real schema wants them. Text that is not JSON stays as it is, for
   * dispatch to report; none at all (null, undefined, empty) is `{}`.
   */
  decodeArguments(wireName: string, wireArguments: unknown): ToolCall["arguments"];
}

/** A tool that was left out, and why. */
export interface SkippedTool {
  name: string;
  error: ErrorInfo;
}

/** Tools as a server gets them, and the way back for their calls. */
export interface EncodedTools<T> {
  tools: T[];
  codec: ToolCodec;
  skipped: SkippedTool[];
  /** What the schemas on the wire no longer say, by tool name. The real schemas still enforce it. */
  lost: ReadonlyMap<string, readonly LostKeyword[]>;
}

/**
 * Encodes tools for one provider, in the order given. `build` shapes a tool as that provider's API takes it. A
 * tool whose schema cannot be converted is skipped with a named error; the others are not touched by it.
 */
export function encodeToolsFor<T>(
  tools: readonly Tool[],
  rules: WireRules,
  build: (tool: WireTool) => T,
): EncodedTools<T> {
  const aliases = createAliases(
    tools.map((tool) => tool.name),
    rules.names,
  );
  const undos = new Map<string, (value: unknown) => unknown>();
  const encoded: T[] = [];
  const skipped: SkippedTool[] = [];
  const lost = new Map<string, LostKeyword[]>();
  for (const tool of tools) {
    try {
      const name = aliases.encode(tool.name);
      const { undo, keywords, ...lowered } = lowerSchema(tool.jsonSchema, rules);
      encoded.push(build({ name, description: tool.description, ...lowered }));
      if (undo !== undefined) undos.set(name, undo);
      if (keywords.length > 0) lost.set(tool.name, keywords);
    } catch (error) {
      const { code, hint } = isSetupError(error)
        ? error
        : { code: "schema_not_convertible", hint: undefined };
      skipped.push({ name: tool.name, error: errorInfo(code, messageOf(error), hint) });
    }
  }
  const codec: ToolCodec = {
    encodeName: (name) => aliases.encode(name),
    decodeName: (wireName) => aliases.decode(wireName),
    decodeArguments: (wireName, given) => decodeArguments(given, undos.get(wireName)),
  };
  return { tools: encoded, codec, skipped, lost };
}

/** A schema as it goes to a server. */
export interface LoweredSchema {
  schema: JsonSchema;
  strict: boolean;
  /** The way back for values; undefined where none is needed. */
  undo: ((value: unknown) => unknown) | undefined;
  keywords: LostKeyword[];
}

/**
 * Cleans a schema, flattens its root and, where the rules want it and strict mode can say it, makes it strict. A
 * root that loses something by being flattened never goes in strict form.
 */
export function lowerSchema(given: JsonSchema, rules: Omit<WireRules, "names">): LoweredSchema {
  const keywords: LostKeyword[] = [];
  const clean = hoistReferences(cleanSchema(given, rules, keywords));
  const before = keywords.length;
  const schema = isPlainRoot(clean) ? clean : hoistReferences(flattenRoot(clean, keywords));
  const strict = rules.strict && keywords.length === before ? toStrictSchema(schema, keywords) : undefined;
  if (strict !== undefined && !("unsupported" in strict)) {
    const undo = strict.optional.length > 0 ? strict.undo : undefined;
    return { schema: strict.schema, strict: true, undo, keywords };
  }
  const aliased = rules.properties && aliasProperties(schema, rules.properties, keywords);
  return { schema: aliased?.schema ?? schema, strict: false, undo: aliased?.undo, keywords };
}

function decodeArguments(
  given: unknown,
  undo: ((value: unknown) => unknown) | undefined,
): ToolCall["arguments"] {
  if (given === null || given === undefined || given === "") return "{}";
  if (typeof given !== "string" && !isRecord(given)) return JSON.stringify(given);
  if (undo === undefined) return given;
  const value = typeof given === "string" ? parse(given) : given;
  const restored = isRecord(value) ? undo(value) : undefined;
  return isRecord(restored) ? restored : given;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
