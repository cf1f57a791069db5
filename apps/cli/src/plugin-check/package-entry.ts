import path from "node:path";

/** A package.json, read. */
export type Manifest = Readonly<Record<string, unknown>>;

/** The module that a package's name stands for. */
export interface PackageEntry {
  /** Absolute. */
  file: string;
  /** Of its declarations, absolute; undefined where package.json names none. */
  types: string | undefined;
  /** As package.json has it. */
  declared: string;
}

const CONDITIONS: ReadonlySet<string> = new Set(["node", "import", "module-sync", "default"]);

/** What an ES module gets that imports the package once it is published; undefined where package.json names nothing. */
export function packageEntry(manifest: Manifest, folder: string): PackageEntry | undefined {
  const published = manifest["publishConfig"] as Manifest | undefined;
  const exports = published?.["exports"] ?? manifest["exports"];
  const root = rootOf(exports);
  const declared = pick(root, CONDITIONS) ?? (exports === undefined ? text(manifest["main"]) : undefined);
  if (declared === undefined) return undefined;
  const types = pick(root, new Set(["types", ...CONDITIONS])) ?? text(manifest["types"]);
  return {
    file: path.join(folder, declared),
    types:
      types === undefined || !/\.d\.[cm]?ts$/.test(types)
        ? besides(declared, folder)
        : path.join(folder, types),
    declared,
  };
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** What `exports` says of the package itself. */
function rootOf(exports: unknown): unknown {
  if (typeof exports !== "object" || exports === null || Array.isArray(exports)) return exports;
  const isMap = Object.keys(exports).some((key) => key.startsWith("."));
  return isMap ? (exports as Manifest)["."] : exports;
}

function pick(target: unknown, conditions: ReadonlySet<string>): string | undefined {
  if (typeof target === "string") return target;
  if (Array.isArray(target))
    return target.map((one) => pick(one, conditions)).find((one) => one !== undefined);
  if (typeof target !== "object" || target === null) return undefined;
  for (const [condition, value] of Object.entries(target)) {
    const found = conditions.has(condition) ? pick(value, conditions) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** TypeScript takes the declarations beside a module where nothing else is named. */
function besides(declared: string, folder: string): string | undefined {
  const types = declared.replace(/\.([cm]?)js$/, ".d.$1ts");
  return types === declared ? undefined : path.join(folder, types);
}
