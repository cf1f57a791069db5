// Holds the sources to the layer table (CONTRIBUTING.md, "Layers"): `node scripts/check-layers.mjs [root]`.
// Checked are the dependencies in every package.json and every import, export-from and import() under src.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";

const maxLines = 400;
const badFolders = new Set(["utils", "shared", "helpers", "common", "types"]);
const testFile = /(?:\.(?:test|test-d)\.ts|[\\/]test-support[\\/][^\\/]+\.ts)$/;

/** What a package may import from the workspace, in its sources and (besides that) in its tests. */
function allowance(folder) {
  if (folder.startsWith("apps/") || folder.startsWith("examples/")) return { any: true };
  if (folder === "packages/core") return { layer: "core (L0)", source: [], test: [] };
  if (folder === "packages/testing") return { layer: "testing (L2)", source: ["@toycoder/core"], test: [] };
  return { layer: "L1", source: ["@toycoder/core"], test: ["@toycoder/testing"] };
}

/** Inside core, from the words up: a level may import its own and lower ones. Other files are free. */
const coreLevels = [
  [
    "tool",
    "schema/",
    "message",
    "errors",
    "permission/level",
    "permission/effect",
    "permission/workspace",
    "permission/path-bounds",
  ],
  ["registry", "permission/", "session"],
  ["dispatch/"],
];

/** Every violation in the workspace at `root`, as `{ place, message }`. */
export function checkLayers(root) {
  const violations = [];
  const packages = readPackages(root);
  const names = new Set(packages.map((pkg) => pkg.manifest.name));
  for (const pkg of packages) {
    const report = (place, message) => violations.push({ place, message });
    checkManifest(pkg, names, report);
    const files = listFiles(join(root, pkg.folder, "src"), root, report);
    const graph = new Map();
    for (const file of files) {
      const links = readLinks(file, root, report);
      graph.set(file, links);
      for (const link of links) checkLink(pkg, file, link, names, root, report);
    }
    if (pkg.folder === "packages/core") checkCoreLevels(graph, root, report);
  }
  return violations;
}

function readPackages(root) {
  const found = [];
  for (const group of ["packages", "apps", "examples"]) {
    if (!existsSync(join(root, group))) continue;
    for (const name of readdirSync(join(root, group)).toSorted((a, b) => (a < b ? -1 : 1))) {
      const file = join(root, group, name, "package.json");
      if (existsSync(file))
        found.push({ folder: `${group}/${name}`, manifest: JSON.parse(readFileSync(file, "utf8")) });
    }
  }
  return found;
}

function checkManifest({ folder, manifest }, names, report) {
  const allowed = allowance(folder);
  const place = `${folder}/package.json`;
  for (const kind of ["dependencies", "peerDependencies", "optionalDependencies", "devDependencies"]) {
    for (const [name, range] of Object.entries(manifest[kind] ?? {})) {
      if (!names.has(name)) {
        if (!folder.startsWith("examples/") && kind !== "peerDependencies" && range !== "catalog:")
          report(place, `${kind}: "${name}" must be "catalog:" (the version stands in pnpm-workspace.yaml)`);
        continue;
      }
      if (allowed.any) continue;
      const permitted = kind === "devDependencies" ? [...allowed.source, ...allowed.test] : allowed.source;
      if (!permitted.includes(name)) report(place, `${kind}: ${allowed.layer} must not depend on "${name}"`);
    }
  }
  if (folder.startsWith("packages/plugin-")) {
    const core = "@toycoder/core";
    if (manifest.dependencies?.[core] || !manifest.peerDependencies?.[core])
      report(place, `a plugin has "${core}" as a peerDependency (and devDependency), not as a dependency`);
  }
}

function listFiles(folder, root, report) {
  if (!existsSync(folder)) return [];
  const files = [];
  for (const entry of readdirSync(folder, { withFileTypes: true }).toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (badFolders.has(entry.name))
        report(relative(root, path), `no folder is named "${entry.name}": name it after what is in it`);
      files.push(...listFiles(path, root, report));
    } else if (/\.[cm]?tsx?$/.test(entry.name)) files.push(path);
  }
  return files;
}

/** The modules that a file names: `{ specifier, line, reexport, star, target }`. */
function readLinks(file, root, report) {
  const text = readFileSync(file, "utf8");
  const place = relative(root, file);
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  if (lines > maxLines) report(place, `${lines} lines: a file has at most ${maxLines}`);
  const { module, errors } = parseSync(file, text);
  if (errors.length > 0) report(place, `does not parse: ${errors[0].message}`);
  const links = new Map();
  const add = (request, kind) => {
    const raw = text.slice(request.start, request.end);
    const specifier = request.value ?? (/^["'`][^$]*["'`]$/.test(raw) ? raw.slice(1, -1) : undefined);
    if (specifier === undefined) return;
    const line = text.slice(0, request.start).split("\n").length;
    const target = specifier.startsWith(".") ? resolve(dirname(file), specifier) : undefined;
    links.set(`${request.start} ${kind}`, { specifier, line, kind, target });
  };
  for (const item of module.staticImports) add(item.moduleRequest, "import");
  for (const item of module.dynamicImports) add(item.moduleRequest, "import");
  for (const entry of module.staticExports.flatMap((item) => item.entries)) {
    if (!entry.moduleRequest) continue;
    add(entry.moduleRequest, "reexport");
    if (entry.importName.kind.startsWith("All")) {
      const line = text.slice(0, entry.moduleRequest.start).split("\n").length;
      report(`${place}:${line}`, "`export *`: list the names");
    }
  }
  return [...links.values()];
}

function checkLink({ folder, manifest }, file, link, names, root, report) {
  const place = `${relative(root, file)}:${link.line}`;
  const isTest = testFile.test(file);
  if (link.target) {
    if (!link.target.startsWith(join(root, folder) + sep))
      report(
        place,
        `imports "${link.specifier}", which is outside of its package: import the package by name`,
      );
    return;
  }
  const name = packageName(link.specifier);
  if (name.startsWith("node:") || builtinModules.includes(name)) return;
  const allowed = allowance(folder);
  const declared = {
    ...manifest.dependencies,
    ...manifest.peerDependencies,
    ...manifest.optionalDependencies,
  };
  if (names.has(name) || name.startsWith("@toycoder/")) {
    if (link.kind === "reexport" && !allowed.any)
      report(place, `re-exports from "${name}": a package shows its own names only`);
    if (allowed.any || name === manifest.name) return;
    const permitted = isTest ? [...allowed.source, ...allowed.test] : allowed.source;
    if (!permitted.includes(name))
      report(place, `${allowed.layer} must not import "${name}"${isTest ? ", in tests either" : ""}`);
  } else if (!isTest && !allowed.any && !(name in declared)) {
    report(place, `imports "${name}", which is not among the dependencies of ${manifest.name}`);
  }
}

function packageName(specifier) {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** No file of a level reaches a higher level, not through files without a level either. */
function checkCoreLevels(graph, root, report) {
  const source = join(root, "packages/core/src");
  const level = (file) => coreLevel(relative(source, file).split(sep).join("/"));
  for (const [file, links] of graph) {
    const own = level(file);
    if (own === undefined || testFile.test(file)) continue;
    for (const link of links) {
      const higher = link.target && findHigher(link.target, own, graph, level, new Set());
      if (!higher) continue;
      const through = higher === link.target ? "" : ` (through ${basename(link.target)})`;
      report(
        `${relative(root, file)}:${link.line}`,
        `imports back up to ${relative(source, higher)}${through}: dispatch -> registry, permission, session -> tool, schema, message, errors`,
      );
    }
  }
}

function findHigher(file, own, graph, level, seen) {
  if (seen.has(file)) return undefined;
  seen.add(file);
  const its = level(file);
  if (its !== undefined) return its > own ? file : undefined;
  for (const link of graph.get(file) ?? []) {
    const found = link.target && findHigher(link.target, own, graph, level, seen);
    if (found) return found;
  }
  return undefined;
}

function coreLevel(path) {
  let best;
  for (const [index, words] of coreLevels.entries()) {
    for (const word of words) {
      const fits = word.endsWith("/") ? path.startsWith(word) : path === `${word}.ts`;
      if (fits && (!best || word.length > best.word.length)) best = { word, index };
    }
  }
  return best?.index;
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const root = resolve(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)));
  const violations = checkLayers(root);
  for (const { place, message } of violations) console.error(`${place}: ${message}`);
  console.log(
    violations.length === 0 ? "Layers: nothing wrong." : `Layers: ${violations.length} violation(s).`,
  );
  process.exitCode = violations.length === 0 ? 0 : 1;
}
