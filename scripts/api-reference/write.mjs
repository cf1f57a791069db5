// `npm run api`: writes docs/api, or the folder that is named.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pagesOf, readPackages } from "./pages.mjs";

const root = path.resolve(import.meta.dirname, "../..");

/** Writes the pages into a folder, formatted, in place of those that are there. */
export function writePages(folder, packages = readPackages(root)) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of pagesOf(packages)) writeFileSync(path.join(folder, file), text);
  const { status, stderr } = spawnSync("oxfmt", ["--config", path.join(root, ".oxfmtrc.json"), "."], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`oxfmt: ${stderr}`);
}

if (process.argv[1] === import.meta.filename)
  writePages(path.resolve(process.argv[2] ?? path.join(root, "docs/api")));
