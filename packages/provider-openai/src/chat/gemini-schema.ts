import { isRecord } from "@toycoder/core/wire";

type Schema = Readonly<Record<string, unknown>>;

/** Gemini API reference, Schema: the fields beside those that hold schemas, values or formats. */
const PLAIN = [
  "type", "title", "description", "required", "minItems", "maxItems", "minProperties", "maxProperties",
  "minLength", "maxLength", "pattern", "minimum", "maximum",
]; // prettier-ignore
const FORMATS: ReadonlySet<unknown> = new Set(["date-time", "float", "double", "int32", "int64"]);

/**
 * A tool's schema in the part of OpenAPI that Gemini takes: references are put in, constants become enums of one,
 * `oneOf` becomes `anyOf`, null a flag. An object without properties is refused ("should be non-empty for OBJECT
 * type"): at the root there is no schema then; below it becomes a text of JSON, and so does whatever else has
 * no type, for dispatch reads such a text as the object or list that the tool wants.
 */
export function toGeminiSchema(schema: Schema): Schema | undefined {
  if (!hasProperties(schema)) return undefined;
  const definitions = [schema.$defs, schema.definitions].map((given) => (isRecord(given) ? given : {}));
  return convert(schema, Object.assign({}, ...definitions) as Schema, []);
}

const hasProperties = ({ properties }: Schema): boolean =>
  isRecord(properties) && Object.keys(properties).length > 0;

function convert(given: unknown, defs: Schema, within: readonly string[]): Schema {
  const { schema, nullable, path } = resolve(isRecord(given) ? given : {}, defs, within);
  const values = "const" in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined;
  const branches = schema.anyOf ?? schema.oneOf;
  const type = schema.type ?? (values === undefined ? undefined : typeOf(values[0]));
  const empty = type === "object" && !hasProperties(schema);
  if (empty || (type === undefined && !Array.isArray(branches))) return jsonText(schema, nullable);

  const next = (item: unknown): Schema => convert(item, defs, path);
  const fitted: Record<string, unknown> = {};
  for (const key of PLAIN) if (schema[key] !== undefined) fitted[key] = schema[key];
  if (type !== undefined) fitted.type = type;
  if (FORMATS.has(schema.format)) fitted.format = schema.format;
  if (nullable) fitted.nullable = true;
  // Its enums hold texts alone.
  if (values?.every((value) => typeof value === "string") === true) fitted.enum = values;
  else if (values !== undefined) fitted.description = described(schema, `One of ${JSON.stringify(values)}.`);
  if (isRecord(schema.properties)) {
    fitted.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, item]) => [name, next(item)]),
    );
  }
  if (type === "array") {
    fitted.items = next(Array.isArray(schema.prefixItems) ? { anyOf: schema.prefixItems } : schema.items);
  }
  if (Array.isArray(branches)) fitted.anyOf = branches.map(next);
  return fitted;
}

/** A schema without its reference and its null, and the references that lead to it. One in a circle is empty. */
function resolve(
  given: Schema,
  defs: Schema,
  within: readonly string[],
): { schema: Schema; nullable: boolean; path: readonly string[] } {
  const { $ref, ...beside } = given;
  if (typeof $ref === "string") {
    const name = $ref.replace(/^#\/(?:\$defs|definitions)\//, "");
    const target = defs[name];
    if (!isRecord(target) || within.includes(name)) return { schema: beside, nullable: false, path: within };
    return resolve({ ...target, ...beside }, defs, [...within, name]);
  }
  const { type, anyOf, oneOf, ...rest } = given;
  if (Array.isArray(type)) {
    const branches = type.map((one) => ({ ...rest, type: one as string }));
    return resolve({ ...pick(rest, "description"), anyOf: branches }, defs, within);
  }
  const branches = anyOf ?? oneOf;
  if (!Array.isArray(branches)) return { schema: given, nullable: false, path: within };
  const left = branches.filter((branch) => !isRecord(branch) || branch.type !== "null");
  const [only] = left;
  const nullable = left.length < branches.length;
  if (left.length !== 1 || !isRecord(only))
    return { schema: { ...given, anyOf: left }, nullable, path: within };
  const found = resolve({ ...only, ...rest, ...(type !== undefined && { type }) }, defs, within);
  return { ...found, nullable: nullable || found.nullable };
}

const pick = (schema: Schema, key: string): Schema =>
  schema[key] === undefined ? {} : { [key]: schema[key] };

const described = ({ description }: Schema, more: string): string =>
  typeof description === "string" ? `${description} ${more}` : more;

const jsonText = (schema: Schema, nullable: boolean): Schema => ({
  type: "string",
  description: described(schema, "Written as JSON."),
  ...(nullable && { nullable }),
});

const typeOf = (value: unknown): string =>
  typeof value === "number" ? "number" : typeof value === "boolean" ? "boolean" : "string";
