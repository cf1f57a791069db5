import { isToolError } from "@toycoder/core";
import { isRecord } from "@toycoder/core/wire";

type Ask = (question: string, options?: readonly string[]) => Promise<string>;
type Value = string | number | boolean | string[];
type Answer = { action: "accept"; content: Record<string, Value> } | { action: "decline" | "cancel" };

const DECLINE = "decline";

/**
 * Answers a server that wants to know something of the person: each field of its form is one question. Without
 * anybody to ask, or with a form that cannot be asked so, it is declined.
 */
export async function elicit(server: string, params: unknown, ask: Ask | undefined): Promise<Answer> {
  if (ask === undefined || !isRecord(params) || params.mode === "url") return { action: "decline" };
  const schema = isRecord(params.requestedSchema) ? params.requestedSchema : {};
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? (schema.required as unknown[]) : [];
  try {
    const said = `The MCP server ${server} asks: ${String(params.message)}`;
    if ((await ask(said, ["answer", DECLINE])) !== "answer") return { action: "decline" };
    const content: Record<string, Value> = {};
    for (const [name, field] of Object.entries(properties)) {
      const value = await askField(name, isRecord(field) ? field : {}, required.includes(name), ask);
      if (value === undefined) continue;
      if (value === null) return { action: "decline" };
      content[name] = value;
    }
    return { action: "accept", content };
  } catch (error) {
    return { action: isToolError(error) && error.code === "no_user" ? "decline" : "cancel" };
  }
}

/**
 * The value; the field's default where it is left empty, undefined where an optional one has none, null where the
 * answer fits no value.
 */
async function askField(
  name: string,
  field: Record<string, unknown>,
  isRequired: boolean,
  ask: Ask,
): Promise<Value | undefined | null> {
  const label = [field.title, field.description].filter((one) => typeof one === "string").join(": ");
  const otherwise = field.default as Value | undefined;
  const empty = otherwise === undefined ? "may be left empty" : `empty: ${JSON.stringify(otherwise)}`;
  const isOpen = !isRequired || otherwise !== undefined;
  const question = `${label === "" ? name : label}${isOpen ? ` (${empty})` : ""}`;
  const choices = field.type === "boolean" ? ["yes", "no"] : choicesOf(field);
  const given = (await ask(question, choices)).trim();
  if (given === "") return isOpen ? otherwise : null;
  if (field.type === "boolean") return /^(?:yes|true|y)$/i.test(given);
  if (field.type === "number" || field.type === "integer") {
    const number = Number(given);
    return Number.isFinite(number) && (field.type === "number" || Number.isInteger(number)) ? number : null;
  }
  if (field.type === "array") return given.split(",").map((part) => part.trim());
  return choices.length > 0 && !choices.includes(given) ? null : given;
}

function choicesOf(field: Record<string, unknown>): string[] {
  const listed = Array.isArray(field.enum) ? (field.enum as unknown[]) : [];
  const titled = Array.isArray(field.oneOf)
    ? (field.oneOf as unknown[]).map((one) => isRecord(one) && one.const)
    : [];
  return [...listed, ...titled].filter((one) => typeof one === "string");
}
