import type { MessageContent } from "@langchain/core/messages";
import { type ContentPart, text, type ToolContext } from "@toycoder/core";
import { isRecord } from "@toycoder/core/wire";
import { bytesPart, urlPart } from "../bytes-part.ts";
import { joinTexts } from "../join-texts.ts";

/**
 * Content for a ToolMessage: texts alone as one text; with images as blocks of `text` and `image_url`, which every
 * integration takes (and LangChain's MCP adapters send).
 */
export function encodeContent(content: readonly ContentPart[]): MessageContent {
  if (content.every(({ type }) => type === "text")) return joinTexts(content);
  return content.map((part) =>
    part.type === "text"
      ? { type: "text", text: part.text }
      : { type: "image_url", image_url: { url: `data:${part.mediaType};base64,${part.data}` } },
  );
}

/** A message's content as ours: LangChain's blocks of before and since its version 1. */
export async function decodeContent(content: unknown, ctx: ToolContext): Promise<ContentPart[]> {
  if (typeof content === "string") return [text(content)];
  if (!Array.isArray(content)) return [text(JSON.stringify(content) ?? String(content))];
  return await Promise.all(content.map((block: unknown) => decodeBlock(block, ctx)));
}

async function decodeBlock(block: unknown, ctx: ToolContext): Promise<ContentPart> {
  if (typeof block === "string") return text(block);
  const fields = isRecord(block) ? block : {};
  if (typeof fields.text === "string") return text(fields.text);
  const { data, image_url: image } = fields;
  if (typeof data === "string" || data instanceof Uint8Array) {
    const type = fields.mimeType ?? fields.mime_type;
    return await bytesPart(data, typeof type === "string" ? type : "application/octet-stream", ctx);
  }
  const url = fields.url ?? (isRecord(image) ? image.url : image);
  if (typeof url === "string") return await urlPart(url, ctx);
  return text(`[a block that is not known here: ${(JSON.stringify(block) ?? String(block)).slice(0, 1000)}]`);
}
