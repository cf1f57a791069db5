// After `changeset version`: the version that each built-in plugin tells of itself becomes its package's.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
for (const file of globSync("packages/plugin-*/src/plugin.ts", { cwd: root })) {
  const source = path.join(root, file);
  const manifest = JSON.parse(readFileSync(path.join(source, "../../package.json"), "utf8"));
  const text = readFileSync(source, "utf8");
  const synced = text.replace(/^(\s*version: ")[^"]*(",)$/m, `$1${manifest.version}$2`);
  if (!synced.includes(`version: "${manifest.version}",`)) throw new Error(`${file} tells no version`);
  writeFileSync(source, synced);
}
