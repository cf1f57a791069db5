// What the checks of the documentation need of a Markdown text.
import GithubSlugger from "github-slugger";
import { marked } from "marked";

/**
 * `blocks`: fenced code, `{ language, code, line, comment }`, with the line of its first line and the last HTML
 * comment before it; `links`: `{ href, line }`, images too; `headings`: `{ depth, text }`; `anchors`: what `#…` may
 * name, as GitHub makes them; `tables`: `{ header, rows }` of tokens; `codes`: inline code; `items`: how many list items.
 *
 * @param {string} text
 * @returns {{
 *   blocks: { language: string; code: string; line: number; comment: string }[];
 *   links: { href: string; line: number }[];
 *   headings: { depth: number; text: string }[];
 *   anchors: Set<string>;
 *   tables: { header: import("marked").Tokens.TableCell[]; rows: import("marked").Tokens.TableCell[][] }[];
 *   codes: { code: string; line: number }[];
 *   items: number;
 * }}
 */
export function readMarkdown(text) {
  const found = { blocks: [], links: [], headings: [], anchors: new Set(), tables: [], codes: [], items: 0 };
  const slugger = new GithubSlugger();
  let line = 1;
  let comment = "";
  for (const token of marked.lexer(text)) {
    if (token.type === "html") comment = /<!-- (.*?) -->/.exec(token.raw)?.[1] ?? comment;
    void marked.walkTokens([token], (one) => note(one, found, lineOf(one, token, line), slugger, comment));
    line += token.raw.split("\n").length - 1;
  }
  return found;
}

/** Where a token within a top-level one stands, by its first line; of two that begin alike, the first. */
const lineOf = (token, within, line) => {
  const [first] = token.raw.split("\n", 1);
  return line + within.raw.slice(0, Math.max(0, within.raw.indexOf(first))).split("\n").length - 1;
};

function note(token, found, line, slugger, comment) {
  if (token.type === "code")
    found.blocks.push({ language: token.lang ?? "", code: `${token.text}\n`, line: line + 1, comment });
  if (token.type === "link" || token.type === "image") found.links.push({ href: token.href, line });
  if (token.type === "html")
    for (const [, href] of token.raw.matchAll(/\b(?:href|src|srcset)="([^"]*)"/g))
      found.links.push({ href, line });
  if (token.type === "heading") {
    const text = plain(token.tokens);
    found.headings.push({ depth: token.depth, text });
    found.anchors.add(slugger.slug(text));
  }
  if (token.type === "table") found.tables.push({ header: token.header, rows: token.rows });
  if (token.type === "codespan") found.codes.push({ code: token.text, line });
  if (token.type === "list_item") found.items++;
}

const plain = (tokens) =>
  tokens.map((token) => (token.tokens ? plain(token.tokens) : unescaped(token.text ?? ""))).join("");
const unescaped = (text) =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
