import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Files of the tree, and lines of each. */
export const FILES = 50_000;
export const LINES = 32;
const PER_FOLDER = 50;

const WORDS = [
  "alpha",
  "render",
  "session",
  "value",
  "total",
  "index",
  "buffer",
  "const",
  "return",
  "export",
];

/** A source tree, the same each time: folders four deep, a few ignored files, one rare word in one file of 500. */
export function makeTree(root: string, files: number = FILES): void {
  mkdirSync(root, { recursive: true });
  writeFileSync(path.join(root, ".gitignore"), "*.log\ndist/\n");
  for (let first = 0; first < files; first += PER_FOLDER) {
    const number = first / PER_FOLDER;
    const folder = path.join(root, `area${number % 10}`, `part${number % 100}`, `unit${number}`);
    mkdirSync(folder, { recursive: true });
    for (let file = first; file < first + PER_FOLDER; file++) {
      const extension = ["ts", "tsx", "js", "md", "py"][file % 5];
      writeFileSync(path.join(folder, `file${file}.${extension}`), contentOf(file));
    }
    if (number % 20 === 0) writeFileSync(path.join(folder, "debug.log"), contentOf(number));
  }
}

function contentOf(file: number): string {
  let text = "";
  let state = file + 1;
  for (let line = 0; line < LINES; line++) {
    for (let word = 0; word < 6; word++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      text += `${WORDS[(state >>> 16) % WORDS.length]} `;
    }
    text += file % 500 === 0 && line === 7 ? "needle in the hay\n" : `= ${file}:${line};\n`;
  }
  return text;
}
