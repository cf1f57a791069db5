// The TypeScript blocks of the documentation.
import { globSync } from "node:fs";

/** The documents whose blocks are checked, relative to `root`. */
export function documents(root) {
  return globSync(["README.md", "docs/**/*.md", "{packages,apps}/*/README.md", "examples/*/README.md"], {
    cwd: root,
  }).sort();
}

/** The ```ts blocks of a Markdown text: the line of their first line of code, from 1, and the code. */
export function snippetsOf(text) {
  const snippets = [];
  let open;
  for (const [index, line] of text.split("\n").entries()) {
    if (open === undefined && /^```(ts|typescript)\b/.test(line)) open = { line: index + 2, code: "" };
    else if (open !== undefined && line.startsWith("```")) {
      snippets.push(open);
      open = undefined;
    } else if (open !== undefined) open.code += `${line}\n`;
  }
  return snippets;
}
