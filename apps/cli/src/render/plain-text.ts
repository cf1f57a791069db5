import { stripVTControlCharacters } from "node:util";

/**
 * A text of a model, a tool or a file as a terminal may get it: escape sequences are gone, what is left of control
 * characters is shown as a picture, and what reorders a line (the bidirectional overrides of UAX #9) as its number.
 */
export function plainText(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll("\r\n", "\n")
    .replaceAll(/[^\P{Cc}\n\t]/gu, picture)
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, (mark) => `<U+${mark.charCodeAt(0).toString(16)}>`);
}

/** The same in one line. */
export const plainLine = (text: string): string => plainText(text.replaceAll(/\s+/g, " ")).trim();

/** The same for every string in a value: an event has many places, and none may be forgotten. */
export function plainValue<T>(value: T): T {
  if (typeof value === "string") return plainText(value) as T;
  if (Array.isArray(value)) return value.map(plainValue) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plainValue(one)])) as T;
}

/** The control pictures of Unicode; the C1 controls have none. */
function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}
