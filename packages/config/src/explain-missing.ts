import { existsSync } from "node:fs";
import path from "node:path";

/** What a config imports and is not there. */
export interface Missing {
  message: string;
  hint: string;
  /** What stands in the import, as far as it can be told. */
  specifier: RegExp;
}

const EXTENSIONS: readonly string[] = [".ts", ".js", ".mjs", ".mts", "/index.ts", "/index.js"];

/** Reads Node's ERR_MODULE_NOT_FOUND: a package that is not installed, or a file that is not there. */
export function explainMissing(message: string, file: string): Missing | undefined {
  const [, name] = /Cannot find package '([^']+)'/.exec(message) ?? [];
  if (name !== undefined) {
    return {
      message: `the package ${name} is not installed`,
      hint: `install it: npm install -D ${name}`,
      specifier: quoted(name),
    };
  }
  const [, missing, from] = /Cannot find module '([^']+)' imported from (.+)$/.exec(message) ?? [];
  if (missing === undefined || from === undefined) return undefined;
  const shown = relative(missing, path.dirname(file));
  const found = EXTENSIONS.find((extension) => existsSync(missing + extension));
  const other = path.resolve(from) === path.resolve(file) ? "" : `, which ${from} imports`;
  return {
    message: `there is no file ${shown}${other}`,
    hint:
      found === undefined
        ? "see where it is: the path starts at the file that imports it"
        : `imports name the whole file: write ${shown}${found}`,
    specifier: quoted(path.basename(missing).replace(/\.\w+$/, "")),
  };
}

/** A string that ends in the name, with an extension or not. */
const quoted = (name: string): RegExp =>
  new RegExp(`["'][^"'\\n]*${name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}(?:[./][^"'\\n]*)?["']`);

function relative(file: string, folder: string): string {
  const way = path.relative(folder, file);
  return way.startsWith("..") ? way : `./${way}`;
}
