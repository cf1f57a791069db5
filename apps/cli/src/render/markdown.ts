import { lexer, type Token, type Tokens } from "marked";
import type { Paint } from "./paint.ts";
import { widthOf, wrapLines } from "./text-width.ts";

/** Markdown for a terminal: headings, lists, code, quotes, tables and emphasis. `text` holds no control characters. */
export function renderMarkdown(text: string, columns: number, paint: Paint): string {
  return new Blocks(paint).render(lexer(text), Math.min(columns, MOST_COLUMNS)).join("\n");
}

/** Longer lines are hard to read. Code and tables may be longer. */
const MOST_COLUMNS = 100;

class Blocks {
  readonly #paint: Paint;

  constructor(paint: Paint) {
    this.#paint = paint;
  }

  /** Lines; blocks are parted by an empty one unless `tight`. */
  render(tokens: readonly Token[], columns: number, tight = false): string[] {
    const blocks = tokens.map((token) => this.#block(token, columns)).filter(({ length }) => length > 0);
    return blocks.flatMap((lines, index) => (index === 0 || tight ? lines : ["", ...lines]));
  }

  #block(token: Token, columns: number): string[] {
    const { bold, dim, cyan, underline } = this.#paint;
    switch (token.type) {
      case "space":
      case "def":
        return [];
      case "heading": {
        const { depth } = token as Tokens.Heading;
        const style = (line: string): string => bold(depth === 1 ? underline(line) : line);
        return wrap(this.#inline(token), columns).map(style);
      }
      case "code":
        return (token as Tokens.Code).text.split("\n").map((line) => `    ${cyan(line)}`);
      case "blockquote":
        return this.render(token.tokens ?? [], columns - 2).map((line) => `${dim("│")} ${line}`);
      case "list":
        return this.#list(token as Tokens.List, columns);
      case "table":
        return this.#table(token as Tokens.Table);
      case "hr":
        return [dim("─".repeat(Math.min(columns, 40)))];
      case "html":
        return wrap(token.raw.trimEnd(), columns);
      default:
        return wrap(this.#inline(token), columns);
    }
  }

  #list({ items, ordered, start, loose }: Tokens.List, columns: number): string[] {
    const lines = items.map((item, index) => {
      const box = item.task ? (item.checked === true ? "☑ " : "☐ ") : "";
      const mark = `${ordered ? `${(start || 1) + index}.` : "•"} ${box}`;
      const tokens = item.tokens.filter(({ type }) => type !== "checkbox");
      const inner = this.render(tokens, columns - mark.length - 2, !loose);
      return inner.map((line, at) => `  ${at === 0 ? mark : " ".repeat(widthOf(mark))}${line}`);
    });
    return lines.flatMap((one, index) => (index > 0 && loose ? ["", ...one] : one));
  }

  #table({ header, rows }: Tokens.Table): string[] {
    const cells = [header, ...rows].map((row) => row.map((cell) => this.#inlines(cell.tokens)));
    const widths = header.map((_, column) => Math.max(...cells.map((row) => widthOf(row[column] ?? ""))));
    const lines = cells.map((row) =>
      row.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - widthOf(cell))).join("  "),
    );
    const [head = "", ...body] = lines;
    return [this.#paint.bold(head), widths.map((width) => "─".repeat(width)).join("  "), ...body];
  }

  #inline(token: Token): string {
    const { tokens } = token as { tokens?: Token[] };
    return tokens === undefined ? (token as Tokens.Text).text : this.#inlines(tokens);
  }

  #inlines(tokens: readonly Token[]): string {
    return tokens.map((token) => this.#span(token)).join("");
  }

  #span(token: Token): string {
    const { bold, italic, cyan, underline, strikethrough, dim } = this.#paint;
    switch (token.type) {
      case "strong":
        return bold(this.#inline(token));
      case "em":
        return italic(this.#inline(token));
      case "del":
        return strikethrough(this.#inline(token));
      case "codespan":
        return cyan((token as Tokens.Codespan).text);
      case "br":
        return "\n";
      case "link":
      case "image": {
        const { href } = token as Tokens.Link;
        const label = this.#inline(token);
        return label === href || href === `mailto:${label}`
          ? underline(href)
          : `${label} ${dim(`(${href})`)}`;
      }
      case "html":
        return token.raw;
      default:
        return this.#inline(token);
    }
  }
}

const wrap = (text: string, columns: number): string[] => wrapLines(text, columns).split("\n");
