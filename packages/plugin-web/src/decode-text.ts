import { isUtf8 } from "node:buffer";

export interface DecodedText {
  text: string;
  /** What a reader has to know about it: an unknown charset, broken characters. */
  note?: string;
}

const BOMS: readonly (readonly [RegExp, string])[] = [
  [/^\xef\xbb\xbf/, "utf-8"],
  [/^\xff\xfe/, "utf-16le"],
  [/^\xfe\xff/, "utf-16be"],
];
/** Where the HTML standard looks for it. */
const META_BYTES = 1024;
const META_CHARSET =
  /<meta[^>]{1,300}?charset\s*=\s*["']?\s*([\w:.-]{1,40})|<\?xml[^>]{1,200}?encoding\s*=\s*["']([\w:.-]{1,40})/i;

/**
 * A body as text: by its byte order mark, else by `charset`, else (where `markup`) by what it says of itself, else
 * as UTF-8 where it is that, and as windows-1252 where not. Never throws.
 */
export function decodeText(body: Buffer, charset: string | undefined, markup: boolean): DecodedText {
  const head = body.toString("latin1", 0, META_BYTES);
  const marked = BOMS.find(([mark]) => mark.test(head))?.[1];
  if (marked !== undefined) return decoded(body, marked);
  const meta = markup ? META_CHARSET.exec(head) : null;
  // A document whose meta element can be read as ASCII is not in UTF-16, whatever it says: as the HTML standard has it.
  const declared = charset ?? (meta?.[1] ?? meta?.[2])?.replace(/^utf-?16.*$/i, "utf-8");
  if (declared !== undefined) return decoded(body, declared);
  if (isUtf8(body)) return { text: new TextDecoder().decode(body) };
  return {
    text: new TextDecoder("windows-1252").decode(body),
    note: "no charset is named; read as windows-1252",
  };
}

function decoded(body: Buffer, charset: string): DecodedText {
  const decoder = decoderFor(charset);
  if (decoder === undefined) {
    const text = new TextDecoder().decode(body);
    return { text, note: `the charset ${JSON.stringify(charset.slice(0, 40))} is unknown; read as utf-8` };
  }
  const text = decoder.decode(body);
  const broken = text.split("\u{FFFD}").length - 1;
  if (broken === 0) return { text };
  return {
    text,
    note: `${broken} characters could not be read as ${decoder.encoding}; they show as \u{FFFD}`,
  };
}

function decoderFor(charset: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}
