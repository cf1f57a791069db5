import { type ContentPart, text } from "@toycoder/core";
import { imageType, isRecord, stringOr } from "@toycoder/core/wire";

/** Keeps bytes in the session; resolves to `session:NAME`. */
export type Spill = (name: string, bytes: Uint8Array) => Promise<string>;

/** Whether an image goes to the model as such, or is kept in the session like all other bytes. */
export type Images = "shown" | "kept";

/** Base64 of an image that models still take. */
const MAX_IMAGE = 5 * 1024 * 1024;

/**
 * A part of a result, as a model can take it: texts and images as they are, all other bytes kept in the session and
 * named. Never rejects for what a server sends.
 */
export function decodeContent(
  part: unknown,
  spill: Spill,
  images: Images = "shown",
): ContentPart[] | Promise<ContentPart[]> {
  if (!isRecord(part)) return [text(`[a part that is no object: ${JSON.stringify(part)}]`)];
  switch (part.type) {
    case "text":
      return [text(stringOr(part.text, ""))];
    case "image":
    case "audio":
      return bytesOf(part.data, part.mimeType, stringOr(part.type, ""), spill, images).then((one) => [one]);
    case "resource":
      return resourceOf(part.resource, spill, images);
    case "resource_link":
      return [text(linkText(part))];
    default:
      return [
        text(
          `[a part of the unknown type ${JSON.stringify(part.type)}: ${JSON.stringify(part).slice(0, 1000)}]`,
        ),
      ];
  }
}

/** What a resource holds: its text, or its bytes. */
export async function resourceOf(
  resource: unknown,
  spill: Spill,
  images: Images = "shown",
): Promise<ContentPart[]> {
  if (!isRecord(resource)) return [text("[an empty resource]")];
  const { uri, mimeType, blob } = resource;
  const head = `[resource ${stringOr(uri, "without a uri")}${typeof mimeType === "string" ? `, ${mimeType}` : ""}]`;
  if (typeof resource.text === "string") return [text(`${head}\n${resource.text}`)];
  return [text(head), await bytesOf(blob, mimeType, "resource", spill, images)];
}

/** A resource that is only named. */
export function linkText({ uri, name, title, description, mimeType, size }: Record<string, unknown>): string {
  const facts = [
    stringOr(title, stringOr(name, "")),
    stringOr(mimeType, ""),
    typeof size === "number" ? `${size} bytes` : "",
    stringOr(description, ""),
  ];
  return `[resource ${stringOr(uri, "without a uri")}: ${facts.filter((fact) => fact !== "").join(", ")}]`;
}

async function bytesOf(
  data: unknown,
  mimeType: unknown,
  kind: string,
  spill: Spill,
  images: Images,
): Promise<ContentPart> {
  if (typeof data !== "string" || !/^[\w+/\s-]*={0,2}\s*$/.test(data))
    return text(`[${kind} without readable data]`);
  const bytes = Buffer.from(data, "base64");
  const image = imageType(bytes);
  if (image !== undefined && images === "shown" && data.length <= MAX_IMAGE)
    return { type: "image", mediaType: image, data: bytes.toString("base64") };
  const type = typeof mimeType === "string" ? mimeType : "bytes";
  const name = await spill(`${kind}.${/\/([\w-]+)/.exec(type)?.[1] ?? "bin"}`, bytes);
  return text(`[${kind}, ${type}, ${bytes.length} bytes: kept as ${name}]`);
}
