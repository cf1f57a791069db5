import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const OURS = /^(?:toycoder|@toycoder\/core)(?:\/|$)/;
const FROM = "toycoder-import:";

type Imported = Readonly<Record<string, unknown>>;

let registered = false;

/**
 * From the first call on `toycoder` and `@toycoder/core` also resolve from files that have them not installed
 * (`npx toycoder` in an empty folder): the command supplies its own. An installed copy always comes first.
 * A `.ts` file whose package.json names no type is an ES module, as a config is; where it names CommonJS, as
 * `npm init` does, the file is what it is written as.
 */
export function resolveToycoder(): void {
  if (registered) return;
  registered = true;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      if (specifier.startsWith(FROM)) {
        const { name, parentURL } = JSON.parse(decodeURIComponent(specifier.slice(FROM.length))) as Origin;
        return nextResolve(name, { ...context, parentURL });
      }
      if (!OURS.test(specifier)) return asModule(nextResolve(specifier, context));
      try {
        return nextResolve(specifier, context);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
        return nextResolve(specifier, { ...context, parentURL: import.meta.url });
      }
    },
  });
}

interface Origin {
  name: string;
  parentURL: string;
}

/** Imports a package as if `fromFile` imported it, or a file by its URL. */
export async function importFrom(specifier: string, fromFile: string): Promise<Imported> {
  resolveToycoder();
  if (specifier.startsWith("file:")) return (await import(specifier)) as Imported;
  const origin: Origin = { name: specifier, parentURL: pathToFileURL(fromFile).href };
  return (await import(FROM + encodeURIComponent(JSON.stringify(origin)))) as Imported;
}

function asModule<T extends { url: string; format?: string | null | undefined }>(resolved: T): T {
  const { url, format = null } = resolved;
  if (!url.endsWith(".ts")) return resolved;
  const isModule = format === null || (format === "commonjs-typescript" && isWrittenAsModule(url));
  return isModule ? { ...resolved, format: "module-typescript" } : resolved;
}

function isWrittenAsModule(url: string): boolean {
  try {
    return /^\s*(?:import\b(?!\s*[(.])|export\b)/m.test(readFileSync(fileURLToPath(url), "utf8"));
  } catch {
    return false;
  }
}
