import { describe, expect, test } from "vitest";
import { pageMarkdown } from "./page-markdown.ts";

const convert = (html: string): string => pageMarkdown(html, "https://example.com/docs/page").markdown;

describe("left out", () => {
  test.each([
    "<script>x</script>",
    "<style>x</style>",
    "<noscript>x</noscript>",
    "<template>x</template>",
    "<nav><ul><li><a href=/>x</a></ul></nav>",
    "<div role=navigation>x</div>",
    "<footer>x</footer>",
    "<iframe>x</iframe>",
    "<svg><text>x</text></svg>",
    "<button>x</button><select><option>x</select><textarea>x</textarea>",
    "<div hidden>x</div>",
    "<div aria-hidden=true><p>x</p></div>",
    '<div style="display: none"><p>x</p></div>',
    '<div style="color:red;VISIBILITY:hidden">x</div>',
    '<span style="font-size:0">x</span>',
    '<span style="opacity: 0;">x</span>',
    "<!-- x -->",
    "<img src=data:image/png;base64,x alt=x>",
    `${"<div>".repeat(700)}<div hidden>x</div>`,
  ])("%s", (html) => {
    expect(convert(`<p>before</p>${html}`)).toBe("before");
  });
});

describe("links", () => {
  test.each([
    ["/a", "https://example.com/a"],
    ["b?c=1&amp;d=2", "https://example.com/docs/b?c=1&d=2"],
    ["#part", "https://example.com/docs/page#part"],
    ["//other.example/x", "https://other.example/x"],
    ["mailto:a@example.com", "mailto:a@example.com"],
  ])("%s is %s", (href, url) => {
    expect(convert(`<a href="${href}">text</a>`)).toBe(`[text](${url})`);
  });

  test("start at the page's own base", () => {
    expect(convert('<base href="/v2/"><base href="/v3/"><a href="a">x</a>')).toBe(
      "[x](https://example.com/v2/a)",
    );
  });

  test.each(["javascript:alert(1)", "data:text/html,x", "vbscript:x", "http://["])(
    "%s is the text alone",
    (href) => {
      expect(convert(`<a href="${href}">text</a>`)).toBe("text");
    },
  );
});

describe("kept", () => {
  test.each([
    ["<pre><code class=language-ts>a &lt; b\n  ```\n</code></pre>", "````ts\na < b\n  ```\n````"],
    [
      "<table><tr><th>A<th>B<tr><td>1|2<td><code>x</code></table>",
      "| A | B |\n| --- | --- |\n| 1\\|2 | `x` |",
    ],
    ["<ol start=3><li>x<ul><li>y</ul></ol>", "3. x\n   - y"],
    ["<dl><dt>T</dt><dd>D</dd></dl>", "T\n: D"],
    ["<details><summary>S</summary>body</details>", "S\n\nbody"],
    ["<p>*not* _markup_ [x](y)</p>", "\\*not\\* \\_markup\\_ \\[x](y)"],
  ])("%s", (html, markdown) => {
    expect(convert(html)).toBe(markdown);
  });

  test("the title, beside the text", () => {
    expect(pageMarkdown("<head><title> T &amp; U </title></head><p>x", "https://example.com/")).toEqual({
      title: "T & U",
      markdown: "x",
    });
  });
});
