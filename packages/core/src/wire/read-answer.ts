import { ModelError } from "../errors.ts";
import { pathHint } from "./address-hint.ts";
import { errorText, isHtml, shownUrl } from "./error-text.ts";

/** A server's answer: events, or one JSON value where it ignored `stream: true`. */
export type Answer = { kind: "events"; response: Response } | { kind: "json"; value: unknown };

/**
 * Tells what a successful response holds. An event stream is passed on unread; anything else is read whole.
 * Throws a ModelError: `invalid_request` with the URL for a web page, `network` for JSON that breaks off.
 */
export async function readAnswer(response: Response, baseURL: string): Promise<Answer> {
  const type = response.headers.get("content-type") ?? "";
  if (type.includes("text/event-stream")) return { kind: "events", response };
  const body = await response.text();
  if (/^\s*(?:data|event|id|retry)?:/.test(body)) return { kind: "events", response: new Response(body) };
  if (isHtml(body)) {
    throw new ModelError(
      "invalid_request",
      `${shownUrl(baseURL)} answered with ${errorText(body)}, not with a model's answer`,
      {
        hint: pathHint(baseURL),
      },
    );
  }
  try {
    return { kind: "json", value: JSON.parse(body) as unknown };
  } catch {
    throw new ModelError(
      "network",
      `the answer of ${shownUrl(baseURL)} is neither an event stream nor whole JSON`,
    );
  }
}
