import { isDeepStrictEqual } from "node:util";
import {
  type ContentPart,
  describeProblems,
  fail,
  type Failure,
  problemsOf,
  text,
  textOf,
} from "@toycoder/core";
import { isRecord } from "@toycoder/core/wire";
import { decodeContent, type Spill } from "./decode-content.ts";
import type { JudgedTool } from "./judge-tool.ts";

/** What a call came to. What the model sees is kept beside it, so that no image stands in a result twice. */
export class McpOutput {
  /** The texts of the result, joined. */
  readonly text: string;
  readonly structuredContent?: unknown;
  readonly #content: readonly ContentPart[];

  constructor(content: readonly ContentPart[], structured?: unknown) {
    this.#content = content;
    this.text = textOf(content);
    if (structured !== undefined) this.structuredContent = structured;
  }

  toContent(): readonly ContentPart[] {
    return this.#content;
  }
}

/**
 * A result of `tools/call` as a tool's output. An error of the tool, and structured content that does not fit the
 * tool's own schema, are failures: the model is told.
 */
export async function decodeResult(
  result: Readonly<Record<string, unknown>>,
  { output }: Pick<JudgedTool, "output">,
  spill: Spill,
): Promise<McpOutput | Failure> {
  const listed = Array.isArray(result.content) ? (result.content as unknown[]) : [];
  const content: ContentPart[] = [];
  for (const part of listed) {
    // What is shown of an error is text: no more than that goes to each provider.
    const decoded = decodeContent(part, spill, result.isError === true ? "kept" : "shown");
    content.push(...(Array.isArray(decoded) ? decoded : await decoded));
  }
  const structured = result.structuredContent;
  if (result.isError === true) {
    const said =
      content.map((part) => textOf([part])).join("\n") ||
      (structured === undefined ? "" : JSON.stringify(structured));
    return fail("tool_failed", said === "" ? "the tool says that it failed, and not why" : said);
  }
  if (output !== undefined) {
    const problems =
      structured === undefined
        ? "there is none"
        : describeProblems(await problemsOf(structured, output.schema, output.json));
    if (problems !== "")
      return fail(
        "invalid_output",
        `the server's structuredContent does not fit its own outputSchema: ${problems}`,
        {
          hint: `the call itself may have had its effect; its texts were: ${textOf(content).slice(0, 2000) || "none"}`,
        },
      );
  }
  if (structured !== undefined && !saysTheSame(content, structured))
    content.push(text(JSON.stringify(structured, withoutData(listed))));
  if (content.length === 0) content.push(text("(the result is empty)"));
  return new McpOutput(content, structured);
}

/** Servers repeat structured content as text, for hosts that know no other. */
function saysTheSame(content: readonly ContentPart[], structured: unknown): boolean {
  return content.some((part) => {
    if (part.type !== "text" || !/^\s*[[{]/.test(part.text)) return false;
    try {
      return isDeepStrictEqual(JSON.parse(part.text), structured);
    } catch {
      return false;
    }
  });
}

/** What stands among the content as a part of its own is not written out again. */
function withoutData(listed: readonly unknown[]): (key: string, value: unknown) => unknown {
  const data = new Map<unknown, string>();
  for (const [index, part] of listed.entries()) {
    if (isRecord(part) && typeof part.data === "string") data.set(part.data, `[content ${index + 1}]`);
  }
  return (_, value) => data.get(value) ?? value;
}
