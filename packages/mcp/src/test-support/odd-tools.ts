const tool = (name: string, inputSchema: unknown, more: object = {}): object => ({
  name,
  description: `The tool ${name}.`,
  inputSchema,
  ...more,
});
const draft = (url: string, properties: object): object => ({ $schema: url, type: "object", properties });

/** Tools as servers in the wild list them, and worse. */
export function oddTools(): unknown[] {
  let deep: object = { type: "string" };
  for (let level = 0; level < 2000; level++) deep = { type: "array", items: deep };
  return [
    { name: "no_schema", description: "It has none." },
    tool("null_schema", null),
    tool("no_type", { properties: { a: { type: "string" } } }),
    tool("null_properties", { type: "object", properties: null, required: null }),
    tool("null_property", { type: "object", properties: { a: null, b: { type: "string" } } }),
    tool(
      "draft_four",
      draft("http://json-schema.org/draft-04/schema#", {
        a: { type: "number", minimum: 1, exclusiveMinimum: true },
      }),
    ),
    tool(
      "draft_seven",
      draft("http://json-schema.org/draft-07/schema#", { a: { type: "array", items: [{ type: "string" }] } }),
    ),
    tool(
      "draft_2020",
      draft("https://json-schema.org/draft/2020-12/schema", {
        a: { type: "array", prefixItems: [{ type: "string" }] },
      }),
    ),
    tool("external_ref", { type: "object", properties: { a: { $ref: "https://example.com/schema.json" } } }),
    tool("inline_flag", { type: "object", properties: { a: { type: "string", pattern: "(?i)^abc$" } } }),
    tool("megabyte", {
      type: "object",
      properties: { a: { type: "string", description: "x".repeat(1024 * 1024) } },
    }),
    tool("too_deep", { type: "object", properties: { a: deep } }),
    tool("array_schema", { type: "array", items: {} }),
    tool("schema_is_text", "object"),
    tool("bad_output", { type: "object" }, { outputSchema: { type: "nonsense" } }),
    tool("getWeather", { type: "object" }),
    tool("get.forecast/v2", { type: "object" }),
    tool("搜索", { type: "object" }),
    tool("x".repeat(120), { type: "object" }),
    tool("twice", { type: "object" }),
    tool("twice", { type: "object" }),
    tool("get_weather", { type: "object" }),
    { name: "no_description", inputSchema: { type: "object" } },
    { name: 7, inputSchema: { type: "object" } },
    { description: "no name" },
    null,
    "a text",
  ];
}
