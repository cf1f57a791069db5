import { defineTool, jsonSchema, type Tool, ToolError } from "@toycoder/core";
import { z } from "zod";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const NOTHING = z.object({});
const PERSON = z.object({ message: z.string() });

/** What the conformance suite asks a server's tools to be, as far as ours can be it. */
export const CONFORMANCE_TOOLS: readonly Tool[] = [
  defineTool({
    name: "test_simple_text",
    description: "Gives a text.",
    input: NOTHING,
    execute: () => "This is a simple text response for testing.",
  }),
  defineTool({
    name: "test_image_content",
    description: "Gives an image.",
    input: NOTHING,
    execute: () => "an image",
    toModel: () => [{ type: "image", mediaType: "image/png", data: PNG }],
  }),
  defineTool({
    name: "test_error_handling",
    description: "Fails.",
    input: NOTHING,
    execute: () => {
      throw new ToolError("on_purpose", "This tool intentionally returns an error for testing");
    },
  }),
  defineTool({
    name: "test_tool_with_progress",
    description: "Tells its progress.",
    input: NOTHING,
    execute: (_, ctx) => {
      for (const part of ["0", "50", "100"]) ctx.progress(part);
      return "done";
    },
  }),
  defineTool({
    name: "test_elicitation",
    description: "Asks the person.",
    input: PERSON,
    execute: ({ message }, ctx) => ctx.ask(message),
  }),
  defineTool({
    name: "json_schema_2020_12_tool",
    description: "Tool with JSON Schema 2020-12 features",
    input: jsonSchema({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: {
        address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } },
      },
      properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
      additionalProperties: false,
    }),
    execute: () => "done",
  }),
] as readonly Tool[];
