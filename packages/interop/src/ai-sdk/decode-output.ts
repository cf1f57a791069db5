import { type ContentPart, fail, type Failure, text, type ToolContext } from "@toycoder/core";
import { isRecord } from "@toycoder/core/wire";
import { bytesPart, urlPart } from "../bytes-part.ts";

/** What an AI SDK tool's `toModelOutput` gave, as content; what it calls an error is a failure. */
export async function decodeOutput(given: unknown, ctx: ToolContext): Promise<ContentPart[] | Failure> {
  const { type, value, reason } = isRecord(given) ? given : {};
  switch (type) {
    case "text":
      return [text(String(value))];
    case "json":
      return [text(JSON.stringify(value) ?? "null")];
    case "error-text":
      return fail("tool_failed", String(value));
    case "error-json":
      return fail("tool_failed", JSON.stringify(value) ?? "null");
    case "execution-denied":
      return fail("permission_denied", typeof reason === "string" ? reason : "the tool denied the call");
    case "content":
      return await Promise.all((Array.isArray(value) ? value : []).map((part) => decodePart(part, ctx)));
    default:
      return [unknownPart(given)];
  }
}

async function decodePart(part: unknown, ctx: ToolContext): Promise<ContentPart> {
  if (!isRecord(part)) return unknownPart(part);
  const { type, data, url, filename } = part;
  const mediaType = typeof part.mediaType === "string" ? part.mediaType : "application/octet-stream";
  if (type === "text" && typeof part.text === "string") return text(part.text);
  if (isRecord(data) && typeof data.text === "string")
    return text(typeof filename === "string" ? `[${filename}]\n${data.text}` : data.text);
  const bytes = isBytes(data) ? data : isRecord(data) ? data.data : undefined;
  if (isBytes(bytes)) return await bytesPart(bytes, mediaType, ctx);
  const place = url ?? (isRecord(data) ? data.url : undefined);
  if (typeof place === "string" || place instanceof URL) return await urlPart(String(place), ctx);
  return unknownPart(part);
}

const isBytes = (data: unknown): data is string | Uint8Array | ArrayBuffer =>
  typeof data === "string" || data instanceof Uint8Array || data instanceof ArrayBuffer;

const unknownPart = (part: unknown): ContentPart =>
  text(`[a part that is not known here: ${(JSON.stringify(part) ?? String(part)).slice(0, 1000)}]`);
