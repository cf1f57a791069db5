const MAX_LENGTH = 500;

/**
 * A provider's message, fit to be shown: no secret and nothing that looks like a key, an HTML page as its title,
 * white space as single blanks, at most 500 characters.
 */
export function errorText(message: string, secrets: readonly string[] = []): string {
  let shown = isHtml(message) ? htmlTitle(message) : message;
  for (const secret of secrets) if (secret.length >= 4) shown = shown.replaceAll(secret, "[key]");
  shown = shown
    .replace(/\b(?:sk|gsk|xai)-[\w*.-]{6,}/gi, "[key]")
    .replace(/\bBearer\s+[\w*.~+/=-]{6,}/gi, "Bearer [key]")
    .replace(/\s+/g, " ")
    .trim();
  return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH)}…` : shown;
}

/** True for a text that is an HTML document. */
export const isHtml = (text: string): boolean =>
  /^(?:\d{3}\s)?\s*<(?:!doctype html|html|head|body)/i.test(text);

function htmlTitle(page: string): string {
  const title = /<title[^>]*>([^<]*)</i.exec(page)?.[1]?.trim();
  return title === undefined || title === "" ? "an HTML page" : `an HTML page: ${title}`;
}

/** A URL, or a text that should be one, without user, password, query and fragment. */
export function shownUrl(url: string): string {
  const { origin, pathname } = URL.canParse(url) ? new URL(url) : { origin: "null", pathname: "" };
  return origin === "null"
    ? url.replace(/[?#].*$/, "").replace(/^([^/]*\/\/)?[^/]*@/, "$1")
    : origin + pathname;
}
