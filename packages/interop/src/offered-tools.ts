import { type DispatchEvent, type JsonSchema, messageOf, type Session, SetupError } from "@toycoder/core";
import { createAliases, flattenRoot, hoistReferences, isPlainRoot } from "@toycoder/core/wire";
import type { LeftOutTool } from "./foreign-options.ts";

/** How a session's tools are offered to another framework. */
export interface OfferOptions {
  /** Names that tools are offered under instead of their own. */
  alias?: Readonly<Record<string, string>>;
  /** Hears of each decision, and of what tools say on their way. */
  observe?: (event: DispatchEvent) => void;
  /** Hears of a tool that cannot be offered, and why. */
  onLeftOut?: (tool: LeftOutTool) => void;
}

/** A session's tool, ready to be put into another framework's form. */
export interface OfferedTool {
  /** The name it is offered under: one that the providers take. */
  name: string;
  /** Its name in the registry. */
  own: string;
  description: string;
  /**
   * What a model may send, as the tool says it; but a root that is a union or a reference, which providers refuse,
   * is told as one plain object. The tool's own schema judges the arguments in any case.
   */
  schema: JsonSchema;
}

const NAME_LIMITS = { maxLength: 64, forbidden: /[^a-zA-Z0-9_-]/g };

/**
 * What the session's model would be offered: the enabled tools in their active versions, sorted by name. Throws a
 * SetupError `duplicate_tool` where an alias is another tool's name.
 */
export function offeredTools(session: Session, { alias = {}, onLeftOut }: OfferOptions): OfferedTool[] {
  const aliases = new Map(Object.entries(alias));
  const tools = session.tools();
  const fitting = createAliases(
    tools.map(({ name }) => name),
    NAME_LIMITS,
  );
  const names = new Set<string>();
  return tools.flatMap((tool) => {
    const name = aliases.get(tool.name) ?? fitting.encode(tool.name);
    if (names.has(name)) throw new SetupError("duplicate_tool", `two tools would be offered as ${name}`);
    names.add(name);
    try {
      const schema = plainRoot(tool.jsonSchema);
      return [{ name, own: tool.name, description: tool.description, schema }];
    } catch (error) {
      onLeftOut?.({ name: tool.name, reason: messageOf(error) });
      return [];
    }
  });
}

const plainRoot = (schema: JsonSchema): JsonSchema =>
  isPlainRoot(schema) ? schema : hoistReferences(flattenRoot(hoistReferences(schema)));
