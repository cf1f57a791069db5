// Packs every publishable package and checks the tarball, which is what users get: its files, its exports
// (publint) and how its types resolve (attw). Needs a build: `npm run check:packages` makes one first.
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
const shell = process.platform === "win32";
const target = mkdtempSync(join(tmpdir(), "toycoder-packages-"));
try {
  const results = await Promise.all(publishable().map(check));
  for (const { name, size, problems } of results) {
    console.log(`${problems.length === 0 ? "ok" : "FAILED"}  ${name}  ${(size / 1024).toFixed(1)} kB`);
    for (const problem of problems) console.error(`  ${problem}`);
  }
  if (results.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
} finally {
  rmSync(target, { recursive: true, force: true });
}

function publishable() {
  return ["packages", "apps"]
    .flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name)))
    .filter((folder) => existsSync(join(folder, "package.json")))
    .filter((folder) => !JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).private);
}

async function check(folder) {
  const packed = await run("pnpm", ["pack", "--json", "--pack-destination", target], { cwd: folder, shell });
  const { name, filename, files } = JSON.parse(packed.stdout);
  const tarball = readFileSync(filename);
  const problems = [...checkFiles(files.map(({ path }) => path))];

  const bytes = tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: bytes }, strict: true });
  for (const message of messages) problems.push(`publint: ${formatMessage(message, pkg, { color: false })}`);
  if (/"(?:workspace|catalog):/.test(JSON.stringify(pkg)))
    problems.push("package.json has workspace: or catalog: in it");
  if (JSON.stringify(pkg.exports).includes("@toycoder/source")) problems.push("exports name the sources");

  const attw = ["attw", [filename, "--profile", "esm-only", "--no-color", "--no-emoji", "--format", "ascii"]];
  await run(...attw, { shell }).catch((error) => problems.push(`attw: ${error.stdout || error.message}`));
  return { name, size: tarball.byteLength, problems };
}

function* checkFiles(paths) {
  for (const needed of ["package.json", "LICENSE", "README.md", "dist/index.js", "dist/index.d.ts"])
    if (!paths.includes(needed)) yield `has no ${needed}`;
  for (const path of paths)
    if (/^src\/|\.test(?:-d)?\.|test-support|\.tsbuildinfo$|(?<!\.d)\.ts$/.test(path))
      yield `must not contain ${path}`;
}
