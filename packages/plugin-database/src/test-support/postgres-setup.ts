import type { TestProject } from "vitest/node";
// Nothing of the workspace may be imported here: for a global set-up it is not resolved to its sources.
import { loadFixture } from "./postgres-admin.ts";
import { startPglite } from "./start-pglite.ts";
import { postgresBinaries, startPostgres } from "./start-postgres.ts";

/** Starts a server before the first test file and ends it after the last. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const binaries = process.env["TOYCODER_TEST_PGLITE"] === "1" ? undefined : postgresBinaries();
  const { stop, ...server } = binaries === undefined ? await startPglite() : await startPostgres(binaries);
  await loadFixture(server);
  provide("postgres", server);
  return stop;
}
