import { type ContentPart, text, type ToolContext } from "@toycoder/core";
import { imageType } from "@toycoder/core/wire";

/** Base64 of an image that models still take. */
const MAX_IMAGE = 5 * 1024 * 1024;

/**
 * Bytes (base64 where they are a text) of a result: an image that models take as a part of its own; all else is kept
 * in the session and named.
 */
export async function bytesPart(
  data: string | Uint8Array | ArrayBuffer,
  mediaType: string,
  ctx: ToolContext,
): Promise<ContentPart> {
  const bytes = typeof data === "string" ? Buffer.from(data, "base64") : Buffer.from(new Uint8Array(data));
  const image = imageType(bytes);
  const base64 = bytes.toString("base64");
  if (image !== undefined && base64.length <= MAX_IMAGE)
    return { type: "image", mediaType: image, data: base64 };
  const name = await ctx.spill(`file.${/\/([\w-]+)/.exec(mediaType)?.[1] ?? "bin"}`, bytes);
  return text(`[${mediaType}, ${bytes.length} bytes: kept as ${name}]`);
}

const DATA_URL = /^data:([^;,]*);base64,(.*)$/s;

/** What a URL leads to: the bytes of a `data:` URL, else its name; nothing is fetched. */
export async function urlPart(url: string, ctx: ToolContext): Promise<ContentPart> {
  const [, mediaType, data] = DATA_URL.exec(url) ?? [];
  if (data === undefined) return text(`[a file at ${url.slice(0, 2000)}]`);
  return await bytesPart(data, mediaType || "application/octet-stream", ctx);
}
