// The project's documents.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { readMarkdown } from "./markdown.mjs";

/** The folder of the repository. */
export const root = path.resolve(import.meta.dirname, "../..");

/** The Markdown files that people read, relative to the repository, each with what is in it. */
export function documents() {
  return globSync(["*.md", "docs/**/*.md", "{packages,apps,examples}/*/README.md", "bench/README.md"], {
    cwd: root,
  })
    .sort()
    .map((file) => ({ file, ...readMarkdown(readFileSync(path.join(root, file), "utf8")) }));
}

/** Whether a document is made from the packages' types, and held to them by a test of its own. */
export const isGenerated = (file) => file.startsWith("docs/api/");
