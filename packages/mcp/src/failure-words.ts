import { messageOf } from "@toycoder/core";
import { isRecord } from "@toycoder/core/wire";
import { codeOf } from "./http-fetch.ts";
import type { McpServerConfig } from "./server-config.ts";

/** What went wrong with a server, and what to do about it where that is known. */
export interface FailureWords {
  message: string;
  hint?: string;
}

/** Puts into words what a transport or the SDK threw. */
export function failureWords(error: unknown, { command = "", url = "" }: McpServerConfig): FailureWords {
  const code = isRecord(error) ? error.code : undefined;
  if (code === "ENOENT" && command !== "")
    return {
      message: `the command ${JSON.stringify(command)} was not found`,
      hint: "install it, or write its absolute path; the folder in cwd must exist, too",
    };
  if (code === "EACCES" && command !== "")
    return { message: `the command ${JSON.stringify(command)} may not be run (EACCES)` };
  if (code === 401 || code === 403 || isLogin(error))
    return {
      message: `${hostOf(url)} refuses the request${typeof code === "number" ? ` (HTTP ${code})` : ""}`,
      hint: 'give it a token: bearerToken: "${VAR}", or headers; a login in a browser (OAuth) is not possible here',
    };
  if (isRecord(error) && error.name === "ZodError") return { message: "its answer is not by the protocol" };
  const network = codeOf(error);
  if (url !== "" && typeof network === "string" && messageOf(error).includes("fetch failed"))
    return { message: `${hostOf(url)} cannot be reached (${network})` };
  return { message: plain(messageOf(error)) };
}

const isLogin = (error: unknown): boolean =>
  (isRecord(error) && error.name === "UnauthorizedError") || /\bHTTP 40[13]\b/.test(messageOf(error));

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "the server");

/** Without what the SDK puts before it. */
const plain = (message: string): string =>
  message
    .replace(/^(?:MCP error -?\d+: )+/, "")
    .replace(/^Streamable HTTP error: /, "")
    .slice(0, 2000);
