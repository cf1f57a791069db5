import { lstatSync, readdirSync } from "node:fs";

/** What of a folder matters: folders in it, and names that a rule covers. */
export interface Listing {
  readonly folders: readonly string[];
  readonly covered: readonly string[];
}

const EMPTY: Listing = { folders: [], covered: [] };

/** A folder that changed this short a time ago may change again without a new time stamp. */
const UNSETTLED_NS = 100_000_000n;

/**
 * Reads folders, each only when it has changed since: a folder's change time cannot be set back, and every entry
 * that comes or goes sets it anew. Rules must stay the same over the life of the object.
 */
export class FolderListings {
  readonly #known = new Map<string, { inode: bigint; changed: bigint; listing: Listing }>();

  /** Empty where the folder is gone or cannot be listed: then no command can list it either. */
  read(folder: string, covers: (name: string) => boolean): Listing {
    try {
      const { ino: inode, ctimeNs: changed } = lstatSync(folder, { bigint: true });
      const known = this.#known.get(folder);
      if (known !== undefined && known.inode === inode && known.changed === changed) return known.listing;
      this.#known.delete(folder);
      const listing = list(folder, covers);
      const settled = BigInt(Date.now()) * 1_000_000n - changed > UNSETTLED_NS;
      if (settled) this.#known.set(folder, { inode, changed, listing });
      return listing;
    } catch {
      return EMPTY;
    }
  }
}

function list(folder: string, covers: (name: string) => boolean): Listing {
  const folders: string[] = [];
  const covered: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) folders.push(entry.name);
    if (covers(entry.name)) covered.push(entry.name);
  }
  return { folders, covered };
}
