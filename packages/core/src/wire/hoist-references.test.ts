import { expect, test } from "vitest";
import { hoistReferences } from "./hoist-references.ts";

test("references into the schema lead to definitions, and unused definitions go", () => {
  const point = { type: "object", properties: { x: { $ref: "#/properties/size" } } };
  const schema = {
    type: "object",
    properties: { at: { $ref: "#/definitions/point" }, size: { type: "number" }, self: { $ref: "#" } },
    definitions: { point, unused: {} },
    $defs: { size: { type: "string" } },
  };
  expect(hoistReferences(schema)).toEqual({
    type: "object",
    properties: { at: { $ref: "#/$defs/point" }, size: { type: "number" }, self: { $ref: "#" } },
    $defs: {
      point: { type: "object", properties: { x: { $ref: "#/$defs/size_2" } } },
      size_2: { type: "number" },
    },
  });
});

test("definitions keep their names, and contain themselves", () => {
  const node = { type: "object", properties: { next: { $ref: "#/$defs/Node" } } };
  const schema = { type: "object", properties: { node: { $ref: "#/$defs/Node" } }, $defs: { Node: node } };
  expect(hoistReferences(schema)).toEqual(schema);
});

test("a name that is escaped in a pointer becomes a plain one", () => {
  const schema = { properties: { a: { $ref: "#/$defs/a~1b%20c" } }, $defs: { "a/b c": { type: "null" } } };
  expect(hoistReferences(schema)).toEqual({
    properties: { a: { $ref: "#/$defs/a_1b_20c" } },
    $defs: { a_1b_20c: { type: "null" } },
  });
});

test("the root becomes a definition where that is asked for", () => {
  const schema = { type: "object", properties: { kids: { type: "array", items: { $ref: "#" } } } };
  const own = { type: "object", properties: { kids: { type: "array", items: { $ref: "#/$defs/root" } } } };
  expect(hoistReferences(schema, { root: true })).toEqual({ ...own, $defs: { root: own } });
});
