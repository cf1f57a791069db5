import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/sdk/types.js";
import { type ContentPart, errorInfo, type Mask, messageOf, type ToolResult } from "@toycoder/core";

/** The largest `structuredContent` in characters. It is for programs, so it may be larger than what models see. */
const MAX_STRUCTURED = 1_000_000;

/** A tool result for a host; `structured` where the tool was listed with an output schema. */
export function encodeResult(result: ToolResult, structured: boolean, mask: Mask): CallToolResult {
  const content = result.content.map(encodePart);
  if (!result.ok) return { content, isError: true };
  if (!structured) return { content };
  try {
    return { content, structuredContent: plainOutput(result.output, mask) };
  } catch (error) {
    const { code, message } = errorInfo("result_not_sent", messageOf(error));
    const said = `Error (${code}): the call succeeded, but its structured result cannot be sent: ${message}`;
    return { content: [{ type: "text", text: said }, ...content], isError: true };
  }
}

const encodePart = (part: ContentPart): ContentBlock =>
  part.type === "image"
    ? { type: "image", data: part.data, mimeType: part.mediaType }
    : { type: "text", text: part.text };

function plainOutput(output: unknown, mask: Mask): Record<string, unknown> {
  const json = JSON.stringify(output) ?? "";
  if (json.length > MAX_STRUCTURED)
    throw new Error(
      `it has ${json.length.toLocaleString("en")} characters, more than ${MAX_STRUCTURED.toLocaleString("en")}`,
    );
  return JSON.parse(json, (_, value: unknown) => (typeof value === "string" ? mask(value) : value)) as Record<
    string,
    unknown
  >;
}
