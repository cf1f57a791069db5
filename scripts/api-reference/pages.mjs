// The pages of docs/api: one for each published package, from the entry points in its package.json.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import GithubSlugger from "github-slugger";
import { exportsOf } from "./declarations.mjs";

const GROUPS = [
  { title: "Functions", kinds: ["function"] },
  { title: "Classes", kinds: ["class"] },
  { title: "Constants", kinds: ["constant"] },
  { title: "Types", kinds: ["interface", "type"] },
];

/** Each package with its exports: `{ name, description, file, entries: [{ title, exports }] }`, core first. */
export function readPackages(root) {
  const packages = globSync("{packages,apps}/*/package.json", { cwd: root })
    .sort()
    .map((file) => readPackage(root, path.dirname(file)));
  return packages.sort((a, b) => Number(b.file === "core.md") - Number(a.file === "core.md"));
}

function readPackage(root, folder) {
  const manifest = JSON.parse(readFileSync(path.join(root, folder, "package.json"), "utf8"));
  const entries = Object.entries(manifest.exports).flatMap(([subpath, target]) => {
    const source = target["@toycoder/source"] ?? "";
    if (!source.startsWith("./src/")) return [];
    const exports = exportsOf(path.join(root, folder, source));
    return [{ title: path.posix.join(manifest.name, subpath), exports: inOrder(exports) }];
  });
  const file = `${manifest.name.replace("@toycoder/", "")}.md`;
  return { name: manifest.name, description: manifest.description, folder, file, entries };
}

const inOrder = (exports) =>
  exports.toSorted((a, b) => groupOf(a) - groupOf(b) || a.name.localeCompare(b.name, "en"));
const groupOf = ({ kind }) => GROUPS.findIndex(({ kinds }) => kinds.includes(kind));

/** Exports that nothing is said about, as `package: name`. */
export function undescribed(packages) {
  return packages.flatMap(({ entries }) =>
    entries.flatMap(({ title, exports }) =>
      exports
        .filter(({ doc, from }) => from === undefined && doc === "")
        .map(({ name }) => `${title}: ${name}`),
    ),
  );
}

/** The text of each page by its file's name, unformatted. */
export function pagesOf(packages) {
  const places = new Map(packages.map((one) => [one, placesOf(one)]));
  return new Map(packages.map((one) => [one.file, pageOf(one, places)]));
}

/** Where each export of a package stands, by name. */
function placesOf({ file, entries }) {
  const slugger = new GithubSlugger();
  const places = new Map();
  for (const { title, exports } of entries) {
    slugger.slug(title);
    for (const { name } of exports) {
      const anchor = slugger.slug(name);
      if (!places.has(name)) places.set(name, { file, anchor });
    }
  }
  return places;
}

function pageOf(page, places) {
  const [own, ...others] = [page, ...places.keys()].map((one) => places.get(one));
  const placeOf = (name) => own.get(name) ?? others.find((one) => one.has(name))?.get(name);
  const linkTo = (name) => {
    const { file, anchor } = placeOf(name);
    return `[\`${name}\`](${file === page.file ? "" : file}#${anchor})`;
  };
  const parts = [
    `# API: ${page.name}`,
    `${page.description} Its guide is [its README](../../${page.folder}/README.md). This page is made from its sources by \`npm run api\`.`,
  ];
  for (const { title, exports } of page.entries) {
    parts.push(`## ${title}`, contents(exports, linkTo));
    for (const one of exports) parts.push(...entryOf(one, placeOf, linkTo));
  }
  return `${parts.join("\n\n")}\n`;
}

function contents(exports, linkTo) {
  const lines = GROUPS.flatMap(({ title, kinds }) => {
    const group = exports.filter(({ kind }) => kinds.includes(kind));
    return group.length === 0 ? [] : [`- ${title}: ${group.map(({ name }) => linkTo(name)).join(" ")}`];
  });
  const again = exports.filter(({ from }) => from !== undefined);
  if (again.length > 0)
    lines.push(`- From other packages: ${again.map(({ name }) => linkTo(name)).join(" ")}`);
  return lines.join("\n");
}

function entryOf({ name, doc, text, from }, placeOf, linkTo) {
  if (from !== undefined)
    return [
      `### ${name}`,
      `The one of [\`${from}\`](${from.replace("@toycoder/", "")}.md#${name.toLowerCase()}).`,
    ];
  const mentioned = new Set(text.replaceAll(/\/\*\*.*?\*\/|"[^"]*"/gs, "").match(/\b[A-Z]\w+/g) ?? []);
  mentioned.delete(name);
  const links = [...mentioned].filter((one) => placeOf(one) !== undefined).map(linkTo);
  return [
    `### ${name}`,
    ...(doc === "" ? [] : [doc]),
    `\`\`\`ts\n${text}\n\`\`\``,
    ...(links.length === 0 ? [] : [`With ${links.join(", ")}.`]),
  ];
}
