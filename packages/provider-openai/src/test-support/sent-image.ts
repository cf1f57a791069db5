import type { SentPart } from "@toycoder/testing";

/** An image that was sent as a data URL. */
export function imageOf(url: unknown): SentPart {
  const [, mediaType = "", data = ""] = /^data:([^;]+);base64,(.*)$/.exec(String(url)) ?? [];
  return { type: "image", mediaType, data };
}
