// The compiler's word on the TypeScript blocks of the documentation.
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "./documents.mjs";

const NAME = ".snippets";

/** What `tsc` says of the blocks, each a module of its own; empty where all is well. */
export function typeErrors(blocks) {
  const folders = new Set([path.join(root, "apps/cli", NAME)]);
  try {
    const files = [...new Map(blocks.map((block) => [block.code, block])).values()].map((block) => {
      const folder = folderOf(block.file);
      folders.add(folder);
      mkdirSync(folder, { recursive: true });
      const file = path.join(folder, `${block.file.replaceAll(/[^\w]/g, "_")}_${block.line}.ts`);
      writeFileSync(file, `${block.code}\nexport {};\n`);
      return file;
    });
    const project = path.join(root, "apps/cli", NAME, "tsconfig.json");
    mkdirSync(path.dirname(project), { recursive: true });
    writeFileSync(
      project,
      JSON.stringify({ extends: "../../../tsconfig.base.json", compilerOptions, files }),
    );
    const { stdout } = spawnSync("tsc", ["-p", project, "--pretty", "false"], {
      cwd: root,
      encoding: "utf8",
    });
    return stdout;
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

/** A package's README is read with what its package has installed; all else with what the command has. */
function folderOf(file) {
  const [group, name] = file.split("/");
  const inPackage = ["packages", "apps", "examples"].includes(group) && name !== undefined;
  return path.join(root, inPackage ? path.join(group, name) : "apps/cli", NAME);
}

/** Every package of the workspace by its name, wherever a block stands. */
function workspacePaths() {
  const paths = {};
  for (const file of globSync("{packages,apps,examples}/*/package.json", { cwd: root })) {
    const { name, exports = {} } = JSON.parse(readFileSync(path.join(root, file), "utf8"));
    for (const [subpath, target] of Object.entries(exports)) {
      const source = typeof target === "string" ? target : target["@toycoder/source"];
      if (source !== undefined && !subpath.includes("*"))
        paths[path.posix.join(name, subpath)] = [path.join(root, path.dirname(file), source)];
    }
  }
  return paths;
}

const compilerOptions = {
  noEmit: true,
  composite: false,
  declaration: false,
  isolatedDeclarations: false,
  rewriteRelativeImportExtensions: false,
  allowImportingTsExtensions: true,
  rootDir: root,
  paths: workspacePaths(),
};
