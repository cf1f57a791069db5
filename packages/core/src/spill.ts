import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ToolError } from "./errors.ts";

const PREFIX = "session:";

/**
 * Large results, kept as files and named `session:NAME`. Without a folder given, one is made in the system's
 * temporary folder when it is first needed, and removed by `dispose`.
 */
export class SpillStore {
  #folder: string | undefined;
  #temporary = false;
  readonly #names = new Set<string>();

  constructor(folder?: string) {
    this.#folder = folder;
  }

  /** Writes `bytes` under a free name made from `name`; resolves to `session:NAME`. */
  async write(name: string, bytes: Uint8Array | string): Promise<string> {
    const folder = this.#ensureFolder();
    const base =
      name
        .replaceAll(/[^\w.-]+/g, "_")
        .replace(/^\.+/, "")
        .slice(0, 80) || "result";
    for (let copy = 1; ; copy++) {
      const candidate = copy === 1 ? base : `${base}-${copy}`;
      if (this.#names.has(candidate)) continue;
      this.#names.add(candidate);
      try {
        const file = await open(path.join(folder, candidate), "wx", 0o600);
        try {
          await file.writeFile(bytes);
        } finally {
          await file.close();
        }
        return PREFIX + candidate;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
    }
  }

  /** The file behind `session:NAME`, or undefined where `reference` is no such name. Throws for an unknown one. */
  fileOf(reference: string): string | undefined {
    if (!reference.startsWith(PREFIX)) return undefined;
    const name = reference.slice(PREFIX.length);
    if (!/^[\w-][\w.-]*$/.test(name))
      throw new ToolError("not_found", `there is no ${reference} in this session`);
    return path.join(this.#ensureFolder(), name);
  }

  dispose(): void {
    if (this.#temporary && this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
    this.#temporary = false;
  }

  #ensureFolder(): string {
    if (this.#folder === undefined) {
      this.#folder = mkdtempSync(path.join(tmpdir(), "toycoder-spill-"));
      this.#temporary = true;
    } else {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    }
    return this.#folder;
  }
}
