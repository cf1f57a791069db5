import { expect, it } from "vitest";
import { renderMarkdown } from "./markdown.ts";
import type { Paint } from "./paint.ts";
import { widthOf } from "./text-width.ts";

const named = (name: string) => (text: string) => `<${name}>${text}</${name}>`;
const tags: Paint = {
  bold: named("b"),
  dim: named("dim"),
  italic: named("i"),
  underline: named("u"),
  strikethrough: named("s"),
  green: named("green"),
  red: named("red"),
  yellow: named("yellow"),
  cyan: named("c"),
};
const plain = Object.fromEntries(Object.keys(tags).map((name) => [name, (text: string) => text])) as Paint;

it.each([
  ["a heading", "# Top\n\n## Sub **x**", "<b><u>Top</u></b>\n\n<b>Sub <b>x</b></b>"],
  ["emphasis", "**bold** _it_ ~~no~~ `a*b`", "<b>bold</b> <i>it</i> <s>no</s> <c>a*b</c>"],
  ["a code block", "```js\nif (a < b) {\n\tx();\n```", "    <c>if (a < b) {</c>\n    <c>\tx();</c>"],
  ["a list", "- one\n- two\n  - deep\n\n1. a\n2. b", "  • one\n  • two\n      • deep\n\n  1. a\n  2. b"],
  ["a task list", "- [x] done\n- [ ] open", "  • ☑ done\n  • ☐ open"],
  ["a quote", "> said\n> so", "<dim>│</dim> said\n<dim>│</dim> so"],
  ["a table", "| a | 漢 |\n|---|---|\n| 1 | 22 |", "<b>a  漢</b>\n─  ──\n1  22"],
  ["a link", "[docs](https://x.dev) <https://y.dev>", "docs <dim>(https://x.dev)</dim> <u>https://y.dev</u>"],
  [
    "what is no Markdown",
    "a < b && c > d; 2 * 3 * 4 snake_case_name",
    "a < b && c > d; 2 * 3 * 4 snake_case_name",
  ],
  ["HTML", "x <b>y</b>\n\n<script>z</script>", "x <b>y</b>\n\n<script>z</script>"],
])("%s", (_, text, expected) => {
  expect(renderMarkdown(text, 60, tags)).toBe(expected);
});

it("keeps within the terminal", () => {
  const text = `${"word ".repeat(30)}\n\n- ${"漢".repeat(40)}\n\n> ${"quoted ".repeat(10)}`;
  for (const line of renderMarkdown(text, 40, plain).split("\n"))
    expect(widthOf(line)).toBeLessThanOrEqual(40);
});

it("leaves no word out, whatever the text is", () => {
  const pieces = ["# ", "- ", "1. ", "> ", "`", "**", "_", "\n", "\n\n", "[x](", ")", "<a", "    ", "!["];
  for (let seed = 1; seed < 2000; seed++) {
    let state = seed;
    let text = "";
    for (let at = 0; at < 10; at++) {
      state = (state * 48_271) % 2_147_483_647;
      text += `${pieces[state % pieces.length]}w${at}w `;
    }
    const shown = renderMarkdown(text, 200, plain);
    const lost = Array.from({ length: 10 }, (_, at) => `w${at}w`).filter((word) => !shown.includes(word));
    expect({ text, lost }).toEqual({ text, lost: [] });
  }
});
