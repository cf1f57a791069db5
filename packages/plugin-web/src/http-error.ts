import { STATUS_CODES } from "node:http";
import { ToolError } from "@toycoder/core";
import { retryAfterMs } from "@toycoder/core/wire";
import type { FetchedPage } from "./fetched-page.ts";
import type { WebAnswer } from "./web-request.ts";

const MAX_SHOWN = 2000;

/** The ToolError `http_error` for an answer that isn't what was asked for, with the start of what it says. */
export function httpError({ status, header, target }: WebAnswer, page?: FetchedPage): ToolError {
  const said = [page?.title, page?.text].filter((part) => part !== undefined && part !== "").join("\n");
  const shown = said.length > MAX_SHOWN ? `${said.slice(0, MAX_SHOWN)}\n[…]` : said;
  const body = shown === "" ? "" : `\n[from the web, written by others:]\n${shown}`;
  const name = STATUS_CODES[status];
  const message = `${target.url.href} answered ${status}${name === undefined ? "" : ` ${name}`}${body}`;
  const hint = hintFor(status, retryAfterMs({ "retry-after": header("retry-after") }, Date.now()));
  return new ToolError("http_error", message, hint === undefined ? {} : { hint });
}

function hintFor(status: number, waitMs: number | undefined): string | undefined {
  if (waitMs !== undefined) return `it asks to wait ${Math.ceil(waitMs / 1000)} s before the next request`;
  switch (status) {
    case 401:
    case 403:
    case 407:
      return "it wants a login or refuses programs; fetch_url sends no credentials: look for a public source";
    case 404:
    case 410:
      return "check the path, or start from a page that links to it";
    case 429:
      return "it has had too many requests: wait, or use another source";
    default:
      return status >= 500 ? "the server is at fault: try once more later, or another source" : undefined;
  }
}
