import compare from "semver/functions/compare.js";
import prerelease from "semver/functions/prerelease.js";
import satisfies from "semver/functions/satisfies.js";
import type { Tool } from "./tool.ts";
import type { ToolOrigin } from "./tool-origin.ts";

export interface VersionEntry {
  tool: Tool;
  origin: ToolOrigin;
}

/**
 * The versions of one name. The newest by semver is active (a prerelease never by itself) until a pin chooses one;
 * a registration never moves a pin.
 */
export class VersionSet {
  readonly #entries = new Map<string, VersionEntry>();
  #pin: string | undefined;
  #active: VersionEntry | undefined;
  /** The versions that were active before, the latest last. */
  readonly #history: string[] = [];

  get size(): number {
    return this.#entries.size;
  }

  has(version: string): boolean {
    return this.#entries.has(version);
  }

  entry(version: string): VersionEntry | undefined {
    return this.#entries.get(version);
  }

  add(entry: VersionEntry): void {
    this.#keepingHistory(() => this.#entries.set(entry.tool.version, entry));
  }

  remove(version: string): boolean {
    return this.#keepingHistory(() => {
      if (this.#pin === version) this.#pin = undefined;
      return this.#entries.delete(version);
    });
  }

  /** Undefined where there are only prereleases and none is pinned. */
  active(): VersionEntry | undefined {
    return this.#active;
  }

  /** Pins a version. False where there is no such version. */
  activate(version: string): boolean {
    if (!this.#entries.has(version)) return false;
    this.#keepingHistory(() => (this.#pin = version));
    return true;
  }

  /** Pins the version that was active before, or the one named. False where there is none. */
  rollback(version?: string): boolean {
    if (version !== undefined) return this.activate(version);
    for (let before = this.#history.pop(); before !== undefined; before = this.#history.pop()) {
      if (!this.#entries.has(before) || before === this.#active?.tool.version) continue;
      this.#pin = before;
      this.#active = this.#entries.get(before);
      return true;
    }
    return false;
  }

  /** In semver order, the oldest first. */
  versions(): string[] {
    return [...this.#entries.keys()].sort(compare);
  }

  /** The active version where the range takes it, else the newest that it takes. A prerelease only by its name. */
  match(range: string): VersionEntry | undefined {
    const active = this.active();
    if (active !== undefined && satisfies(active.tool.version, range)) return active;
    const newest = this.versions().findLast((version) => satisfies(version, range));
    return newest === undefined ? undefined : this.#entries.get(newest);
  }

  /** Makes a change, and sees what is active after it. */
  #keepingHistory<T>(change: () => T): T {
    const before = this.#active?.tool.version;
    const result = change();
    const version = this.#pin ?? this.versions().findLast((one) => prerelease(one) === null);
    this.#active = version === undefined ? undefined : this.#entries.get(version);
    if (before !== undefined && before !== version) this.#history.push(before);
    return result;
  }
}
