import { Buffer } from "node:buffer";
import { type ToolContext, ToolError, wholeCharacters } from "@toycoder/core";
import { cleanLine, cleanText } from "./clean-text.ts";
import { contentKind } from "./content-kind.ts";
import { convertPage } from "./convert-page.ts";
import { decodeText } from "./decode-text.ts";
import type { FetchedPage } from "./fetched-page.ts";
import { showSize } from "./show-size.ts";
import type { WebAnswer } from "./web-request.ts";

/** What a model's API takes of an image at most, as base64: 5 MB. */
const MAX_IMAGE_BYTES = 3_750_000;
const MAX_SHOWN = 20_000;
const MAX_TITLE = 200;

/**
 * Makes of an answer what the model gets to see. Throws a ToolError: `unsupported_content` for what is neither text
 * nor an image, `image_too_large`, `unreadable_page`.
 */
export async function readAnswer(answer: WebAnswer, raw: boolean, ctx: ToolContext): Promise<FetchedPage> {
  const { body, target, status } = answer;
  const { mediaType, charset } = readContentType(answer.header("content-type") ?? "");
  const page = { url: target.url.href, status, mediaType, bytes: body.length, redirects: [], notes: [] };
  const kind = contentKind(body, mediaType, charset);
  if (kind.kind === "binary") {
    const said = mediaType === "" ? "" : `, sent as ${mediaType}`;
    throw new ToolError(
      "unsupported_content",
      `${page.url} is ${kind.name} of ${showSize(body.length)}${said}`,
      {
        hint: "fetch_url reads HTML, text, JSON and images; look for the same as a page",
      },
    );
  }
  if (kind.kind === "image") {
    if (body.length > MAX_IMAGE_BYTES) {
      throw new ToolError(
        "image_too_large",
        `${page.url} is a ${kind.mediaType} of ${showSize(body.length)}`,
        {
          hint: `images of up to ${showSize(MAX_IMAGE_BYTES)} can be looked at; look for a smaller one`,
        },
      );
    }
    return { ...page, image: { mediaType: kind.mediaType, data: body.toString("base64") } };
  }
  const { text, note } = decodeText(body, charset, kind.kind === "html" || mediaType.endsWith("xml"));
  const notes = note === undefined ? [] : [note];
  if (kind.kind === "text" || raw) return { ...page, ...(await cut(cleanText(text), notes, "txt", ctx)) };
  const { markdown, title } = await convertPage(text, page.url, ctx.signal);
  if (markdown === "")
    notes.push("the page has no text; it may be made by JavaScript: raw: true gives its HTML");
  const shown = cleanLine(title, MAX_TITLE);
  return {
    ...page,
    ...(shown === "" ? {} : { title: shown }),
    ...(await cut(cleanText(markdown), notes, "md", ctx)),
  };
}

function readContentType(header: string): { mediaType: string; charset: string | undefined } {
  const [type = ""] = header.split(";", 1);
  const mediaType = cleanLine(type, 100).toLowerCase();
  const charset = /;\s*charset\s*=\s*"?([^\s";]{1,60})/i.exec(header.slice(0, 500))?.[1];
  return { mediaType, charset };
}

/** Cuts a long text at the end of a line; the whole goes into the session. */
async function cut(
  text: string,
  notes: readonly string[],
  extension: string,
  ctx: ToolContext,
): Promise<Pick<FetchedPage, "text" | "notes" | "file">> {
  if (text.length <= MAX_SHOWN) return { text, notes };
  const length = wholeCharacters(text, MAX_SHOWN);
  const line = text.lastIndexOf("\n", length);
  const shown = text.slice(0, line > MAX_SHOWN / 2 ? line : length);
  const file = await ctx.spill(`${ctx.callId}.${extension}`, Buffer.from(text)).catch(() => undefined);
  const where =
    file === undefined
      ? "the whole could not be kept"
      : `the whole is ${file}: read it with read_file, path "${file}", offset ${shown.split("\n").length}`;
  const mark = `[cut after ${shown.length} of ${text.length} characters; ${where}]`;
  return { text: `${shown}\n${mark}`, notes, ...(file === undefined ? {} : { file }) };
}
