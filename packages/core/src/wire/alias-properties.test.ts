import { expect, test } from "vitest";
import { aliasProperties } from "./alias-properties.ts";
import type { LostKeyword } from "./clean-schema.ts";

const limits = { maxLength: 64, forbidden: /[^a-zA-Z0-9_.-]/g };

test("names that fit need nothing", () => {
  expect(aliasProperties({ type: "object", properties: { "a.b-c_1": {} } }, limits, [])).toBeUndefined();
  expect(aliasProperties({ type: "object" }, limits, [])).toBeUndefined();
});

test("a name that does not fit is told in the description, and comes back", () => {
  const { schema, undo } = aliasProperties(
    {
      type: "object",
      properties: { "filter[id]": { type: "string", description: "An id." }, $top: true, plain: {} },
      required: ["filter[id]", "plain"],
    },
    limits,
    [],
  )!;
  const [filter, top] = Object.keys(schema.properties ?? {});
  expect(filter).toMatch(/^filter_id__[0-9a-f]{8}$/);
  expect(top).toMatch(/^_top_[0-9a-f]{8}$/);
  expect(schema.properties).toMatchObject({
    [filter!]: { type: "string", description: 'An id. Its name is "filter[id]".' },
    [top!]: { description: 'Its name is "$top".' },
    plain: {},
  });
  expect(schema.required).toEqual([filter, "plain"]);
  const sent = { [filter!]: "x", [top!]: { $top: 1 }, plain: 2, other: 3 };
  expect(undo(sent)).toEqual({ "filter[id]": "x", $top: { $top: 1 }, plain: 2, other: 3 });
});

test("nested objects keep their names, where the root contains itself as well", () => {
  const { schema, undo } = aliasProperties(
    { type: "object", properties: { "a b": { $ref: "#" } } },
    limits,
    [],
  )!;
  const [alias] = Object.keys(schema.properties ?? {});
  expect(schema.$defs).toEqual({ root: { type: "object", properties: { "a b": { $ref: "#/$defs/root" } } } });
  expect(undo({ [alias!]: { "a b": {} } })).toEqual({ "a b": { "a b": {} } });
});

test("what names properties in other places is lost, and named", () => {
  const lost: LostKeyword[] = [];
  const given = { type: "object", properties: { "a b": {} }, dependentRequired: { "a b": ["c"] } };
  expect(aliasProperties(given, limits, lost)?.schema).not.toHaveProperty("dependentRequired");
  expect(lost).toEqual([{ path: "", keyword: "dependentRequired" }]);
});
