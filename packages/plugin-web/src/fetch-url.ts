import { defineTool, type Tool, type ToolContext, ToolError } from "@toycoder/core";
import * as z from "zod";
import { httpError } from "./http-error.ts";
import { readAnswer } from "./read-answer.ts";
import { redirectTarget } from "./redirect-target.ts";
import { type FetchedPage, showPage } from "./fetched-page.ts";
import { type RequestOptions, type WebAnswer, webRequest, withinTime } from "./web-request.ts";
import { type WebTarget, webTarget } from "./web-target.ts";

/** What `fetch_url` takes; the address is absolute. */
export interface FetchUrlInput {
  url: string;
  /** HTML as it is, instead of Markdown. */
  raw: boolean;
}

const NAME = "fetch_url";
const MAX_REDIRECTS = 5;

/**
 * Makes `fetch_url`. A redirect within the host is followed; one to another host becomes a call of its own, which
 * the same permissions decide.
 */
export function makeFetchUrl(options: RequestOptions): Tool<FetchUrlInput, FetchedPage> {
  return defineTool({
    name: NAME,
    description:
      "Fetch a page, JSON, text or image from the web by its http(s) URL; returns HTML as Markdown. No login, no JavaScript.",
    input: z.object({
      url: z.string(),
      raw: z.boolean().default(false).describe("HTML as it is"),
    }),
    permission: "sensitive",
    category: "external_api",
    tags: ["web", "http", "download", "browse", "抓取网页", "ウェブ取得"],
    effects: ({ url }) => [{ kind: "net", host: webTarget(url).host }],
    // Its own limits end it; a person who is asked about a redirect takes the time that they take.
    timeoutMs: false,
    execute: (input, ctx) => fetchUrl(input, ctx, options),
    toModel: showPage,
  });
}

async function fetchUrl(
  { url, raw }: FetchUrlInput,
  ctx: ToolContext,
  options: RequestOptions,
): Promise<FetchedPage> {
  const passed: string[] = [];
  const answer = await withinTime(options.timeoutMs, ctx.signal, (signal) =>
    followWithin(webTarget(url), passed, options, signal),
  );
  if ("leadsTo" in answer) return await callAgain(answer.leadsTo, raw, passed, ctx);
  if (answer.status < 300) return { ...(await readAnswer(answer, raw, ctx)), redirects: passed };
  // What an error page says helps, where it can be read.
  const page = await readAnswer(answer, raw, ctx).catch(() => undefined);
  ctx.signal.throwIfAborted();
  throw httpError(answer, page);
}

/** Follows redirects of one host, from http to https too, and notes in `passed` what was left behind. */
async function followWithin(
  first: WebTarget,
  passed: string[],
  options: RequestOptions,
  signal: AbortSignal,
): Promise<WebAnswer | { leadsTo: WebTarget }> {
  for (let target = first; ;) {
    const answer = await webRequest(target, options, signal);
    if (answer.location === undefined) return answer;
    passed.push(target.url.href);
    const next = redirectTarget(answer.location, target);
    if (next.host !== target.host) return { leadsTo: next };
    if (passed.length > MAX_REDIRECTS) {
      throw new ToolError("too_many_redirects", `${first.host} redirects more than ${MAX_REDIRECTS} times`);
    }
    target = next;
  }
}

/** The call for another host: its own decision, under the same permissions. */
async function callAgain(
  { url: { href } }: WebTarget,
  raw: boolean,
  passed: readonly string[],
  ctx: ToolContext,
): Promise<FetchedPage> {
  const result = await ctx.dispatch(NAME, { url: href, raw });
  if (!result.ok) {
    const { code, message, hint } = result.error;
    const from = `${passed[0]} redirects to ${href}`;
    const undecided =
      code === "approval_required" || code === "permission_denied" || code === "execution_failed";
    throw new ToolError(
      undecided ? "redirect_refused" : code,
      `${from}: ${message}`,
      hint === undefined ? {} : { hint },
    );
  }
  const page = result.output as FetchedPage;
  return { ...page, redirects: [...passed, ...page.redirects] };
}
