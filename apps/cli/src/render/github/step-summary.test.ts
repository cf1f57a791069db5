import { emptyResult, type RunResult } from "@toycoder/agent";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { describe, expect, it } from "vitest";
import { stepSummary, SUMMARY_BYTES } from "./step-summary.ts";

const HOSTILE = [
  "<script>alert(1)</script><img src=x onerror=y>",
  "</blockquote></td></table><!-- <?php <![CDATA[",
  "![see](https://evil.example/?stolen) ![ref][r] [^note] [link](javascript:alert(1))",
  "\n\n# Heading\n\n---\n\n| a | b |\n| --- | --- |\n| c | d |\n",
  "\r\r## CR heading\r> quote\r\r[^note]: footnote\n[r]: https://evil.example/r.png\n",
  "a|b`c`|`d\\|e*f*_g_~~h~~&lt;b&gt;\u202egnp.exe\u200b\u0000\u001b[31m\ud800",
  "- [ ] task\n1. one\n<details><summary>x</summary>\n\nwww.example.com a@b.example",
  // Last: it would hide what comes after it.
  "\n\n```\nopen fence",
].join("\n");

const html = (markdown: string): string =>
  micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });

function resultWith(text: string): RunResult {
  return {
    ...emptyResult("denied", { code: text, message: text, hint: text }, text),
    text,
    denials: [
      {
        tool: text,
        arguments: { command: text },
        code: "approval_required",
        rule: text,
        suggestion: text,
        suggestions: [text],
      },
    ],
    changes: [{ path: text, kind: "created", additions: 1, deletions: 0 }],
    sessionId: text,
  };
}

const summaryOf = (text: string, bytes = SUMMARY_BYTES): string =>
  stepSummary(text, resultWith(text), [{ command: text, end: text }], bytes);

/** A page's tags in order, without those within quotes and code. */
const frameOf = (page: string): string[] =>
  page
    .replaceAll(/<blockquote>[\s\S]*?<\/blockquote>/g, "<quote>")
    .match(/<[^>]*>/g)!
    .map(String);

describe("the step summary", () => {
  it("has the same frame whatever its texts are", () => {
    const page = html(summaryOf(HOSTILE));
    // No quote can be closed from within: the quotes are two, and hold no other.
    expect(page.match(/<\/blockquote>/g)).toHaveLength(page.match(/<blockquote>/g)!.length);
    const plain = frameOf(html(summaryOf("plain")));
    const hostile = frameOf(page.replaceAll(/<blockquote>\n<p>quote<\/p>\n<\/blockquote>/g, ""));
    expect(hostile).toEqual(plain);
  });

  it("holds no raw HTML, no image and no footnote", () => {
    const page = html(summaryOf(HOSTILE));
    const tags = new Set(page.match(/<\/?[a-z0-9]+/gi)!.map((tag) => tag.replace(/<\/?/, "")));
    for (const tag of ["script", "img", "details", "section", "sup"]) expect(tags).not.toContain(tag);
    expect(page).not.toContain("onerror=y>");
    expect(page).not.toMatch(/<!--|<\?|<!\[/);
  });

  it("shows Markdown of the answer as such, and names as they are", () => {
    const page = html(summaryOf("**bold** `a|b` <T>"));
    expect(page).toContain("<strong>bold</strong> <code>a|b</code> &lt;\u200bT&gt;");
    expect(page).toContain("<td><code>**bold** `a|b` &lt;T&gt;</code></td>");
  });

  it("keeps to its size, cut at a whole line or character", () => {
    const text = "漢字 <b> |\n".repeat(200_000);
    for (const bytes of [SUMMARY_BYTES, 5000, 4001, 4000, 800, 100, 10, 0, -5]) {
      const summary = summaryOf(text, bytes);
      expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(Math.max(0, bytes));
      expect(summary).not.toContain("\ufffd");
      if (bytes > 100) expect(summary).toMatch(/left out: GitHub takes no more\._\n$/);
    }
    const one = stepSummary(
      "x",
      { ...emptyResult("completed", null), text: "漢".repeat(600_000) },
      [],
      SUMMARY_BYTES,
    );
    expect(Buffer.byteLength(one)).toBeGreaterThan(SUMMARY_BYTES - 10);
    expect(Buffer.byteLength(one)).toBeLessThanOrEqual(SUMMARY_BYTES);
  });

  it("counts the rows that it leaves out", () => {
    const changes = Array.from({ length: 302 }, (_, index) => ({
      path: `f${index}`,
      kind: "created" as const,
      additions: 1,
      deletions: 0,
    }));
    const summary = stepSummary("", { ...emptyResult("completed", null), changes }, [], SUMMARY_BYTES);
    expect(summary).toContain("#### Changed files (302)");
    expect(summary).toContain("\nand 2 more\n");
  });
});
