import type { Buffer } from "node:buffer";

/** Image types that a model takes. */
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/**
 * The image's media type by its first bytes, undefined where it is none that a model takes. What somebody says it is
 * may be wrong, and a provider refuses the whole request then.
 */
export function imageType(head: Buffer): ImageType | undefined {
  const text = head.toString("latin1", 0, 16);
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(text)) return "image/gif";
  if (/^RIFF.{4}WEBP/s.test(text)) return "image/webp";
  return undefined;
}
