import { mkdirSync, renameSync, symlinkSync, utimesSync } from "node:fs";
import path from "node:path";
import type { PathBounds } from "@toycoder/core";
import { type TempWorkspace, tempWorkspace } from "@toycoder/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findGuarded } from "./find-guarded.ts";
import { FolderListings } from "./folder-listing.ts";

let workspace: TempWorkspace;
beforeEach(
  () => void (workspace = tempWorkspace({ "a/b/keep": "", "a/secret": "", "c/locked/inner/secret": "" })),
);
afterEach(() => workspace.dispose());

/** Refuses a name at any depth. */
const named = (name: string): PathBounds => ({
  covers: (absolute) => absolute.split("/").includes(name),
  reaches: () => true,
  places: ["/"],
  names: [name],
});

const scope = (listings = new FolderListings()) => ({
  roots: [workspace.root],
  reads: named("secret"),
  writes: named("locked"),
  listings,
});

/** Relative to the workspace. */
const relative = (paths: Iterable<string>): string[] =>
  [...paths].map((one) => path.relative(workspace.root, one)).toSorted();

test("it finds what rules cover, also what is hidden in a folder that is read-only", () => {
  const { hidden, readOnly, entries } = findGuarded(scope());
  expect(relative(hidden.keys())).toEqual(["a/secret", "c/locked/inner/secret"]);
  expect(relative(readOnly)).toEqual(["c/locked"]);
  expect(relative(entries.keys())).toEqual(["c/locked"]);
});

test("links are guarded where they lead", () => {
  symlinkSync("../b", workspace.path("a/b/locked"));
  symlinkSync("../a", workspace.path("c/secret"));
  symlinkSync("nowhere", workspace.path("locked"));
  symlinkSync("/", workspace.path("a/b/secret"));
  symlinkSync("..", workspace.path("secret"));
  const { hidden, readOnly, entries } = findGuarded(scope());
  expect(relative(hidden.keys())).toEqual(["a", "a/secret", "c/locked/inner/secret"]);
  expect(relative(readOnly)).toEqual(["a/b", "c/locked"]);
  expect(relative(entries.keys())).toEqual(["a/b/locked", "c/locked", "locked"]);
});

test("places outside of the roots are looked at where a rule spells them out", () => {
  using outside = tempWorkspace({ "keys/secret": "", "keys/open": "" });
  const reads = { ...named("secret"), places: ["/", outside.root, "/nowhere"] };
  const { hidden } = findGuarded({ ...scope(), reads });
  expect(hidden.has(outside.path("keys/secret"))).toBe(true);
});

test("folders that nothing can match in are not read", () => {
  const seen: string[] = [];
  const reads = {
    ...named("secret"),
    reaches: (folder: string) => {
      seen.push(folder);
      return !folder.endsWith("/a");
    },
  };
  const { hidden } = findGuarded({ ...scope(), reads, writes: undefined });
  expect(relative(hidden.keys())).toEqual(["c/locked/inner/secret"]);
  expect(relative(seen)).not.toContain("a/b");
});

test("what changes between two looks is seen, whatever its time stamps say", () => {
  const listings = new FolderListings();
  const look = (): string[] => relative(findGuarded(scope(listings)).hidden.keys());
  for (const folder of ["a/b", "a", ""]) utimesSync(workspace.path(folder), 1, 1);
  expect(look()).toEqual(["a/secret", "c/locked/inner/secret"]);
  renameSync(workspace.path("a/secret"), workspace.path("a/b/secret"));
  for (const folder of ["a/b", "a"]) utimesSync(workspace.path(folder), 1, 1);
  expect(look()).toEqual(["a/b/secret", "c/locked/inner/secret"]);
  renameSync(workspace.path("a"), workspace.path("d"));
  mkdirSync(workspace.path("a/b"), { recursive: true });
  expect(look()).toEqual(["c/locked/inner/secret", "d/b/secret"]);
});
