import { ToolError } from "@toycoder/core";
import { cleanLine } from "./clean-text.ts";
import { type WebTarget, webTarget } from "./web-target.ts";

/**
 * Where a redirect leads, from its `location`. Throws a ToolError `redirect_refused` for what may not be fetched, and
 * for a way back from https to http.
 */
export function redirectTarget(location: string, from: WebTarget): WebTarget {
  const refuse = (why: string): ToolError =>
    new ToolError("redirect_refused", `${from.url.href} redirects to ${cleanLine(location, 500)}: ${why}`);
  let next: WebTarget;
  try {
    next = webTarget(location, from.url);
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : "it is no URL");
  }
  if (from.url.protocol === "https:" && next.url.protocol === "http:") throw refuse("it leaves https");
  next.url.hash ||= from.url.hash;
  return next;
}
