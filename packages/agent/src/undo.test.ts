import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { createWorkspace } from "@toycoder/core";
import { type TempWorkspace, tempWorkspace } from "@toycoder/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ChangeLog } from "./change-log.ts";
import { stamp } from "./event.ts";
import { SessionFolder } from "./session-folder.ts";
import { undoChanges, type UndoResult } from "./undo.ts";
import type { UndoChoice } from "./undo-plan.ts";

let folder: TempWorkspace;
let session: string;
beforeEach(() => {
  folder = tempWorkspace({ "ws/old.txt": "old\r\n\uFEFF", "ws/gone.sh": "#!/bin/sh\n" });
  chmodSync(at("old.txt"), 0o600);
  chmodSync(at("gone.sh"), 0o755);
  const made = SessionFolder.create(folder.path("state"), "s");
  session = made.folder;
  made.close();
});
afterEach(() => folder.dispose());

const at = (name: string): string => folder.path(`ws/${name}`);
const modeOf = (name: string): number => statSync(at(name)).mode & 0o777;
const bytesAt = (name: string): string | null =>
  existsSync(at(name)) ? readFileSync(at(name), "latin1") : null;

/** Changes files as a tool does, and keeps the events. */
function act(...changes: readonly [name: string, after: string | null][]): void {
  const { session: open } = SessionFolder.open(session);
  const log = new ChangeLog(session);
  log.onChange((change) => open.append(stamp({ type: "change", ...change })));
  const workspace = createWorkspace({ root: folder.path("ws") });
  for (const [name, after] of changes) {
    const target = workspace.resolve(name);
    const stats = lstatSync(target.real, { throwIfNoEntry: false });
    const before = stats === undefined ? null : readFileSync(target.real);
    const parent = path.dirname(target.real);
    const folders = existsSync(parent) ? [] : [parent];
    mkdirSync(parent, { recursive: true });
    if (after === null) rmSync(target.real);
    else writeFileSync(target.real, after);
    const mode = {
      ...(stats && { before: stats.mode & 0o7777 }),
      ...(after !== null && { after: statSync(target.real).mode & 0o7777 }),
    };
    log.record({ path: target, before, after: after === null ? null : Buffer.from(after), mode, folders });
  }
  open.close();
}

function undo(choice?: UndoChoice): UndoResult {
  const { session: open, file } = SessionFolder.open(session);
  try {
    return undoChanges(open, file, choice);
  } finally {
    open.close();
  }
}

const only = (name: string): UndoChoice => ({ fits: ({ file }) => file === at(name) });

describe("undoChanges", () => {
  it("puts bytes and modes back, removes what was made, and does it all again", () => {
    const before = bytesAt("old.txt");
    act(["old.txt", "1"], ["gone.sh", null], ["new/a.txt", "a"], ["old.txt", "2"], ["new/b.txt", "b"]);
    const { by, files, refused } = undo();
    expect([by, refused]).toEqual(["undo", []]);
    expect(files).toEqual([
      { path: "new/b.txt", action: "removed" },
      { path: "old.txt", action: "restored" },
      { path: "new/a.txt", action: "removed" },
      { path: "gone.sh", action: "restored" },
    ]);
    expect([bytesAt("old.txt"), modeOf("old.txt")]).toEqual([before, 0o600]);
    expect([bytesAt("gone.sh"), modeOf("gone.sh")]).toEqual(["#!/bin/sh\n", 0o755]);
    expect(existsSync(at("new"))).toBe(false);

    expect(undo().by).toBe("redo");
    expect(["old.txt", "gone.sh", "new/a.txt", "new/b.txt"].map(bytesAt)).toEqual(["2", null, "a", "b"]);
    expect(undo().by).toBe("undo");
    expect(["old.txt", "gone.sh", "new/a.txt", "new/b.txt"].map(bytesAt)).toEqual([
      before,
      "#!/bin/sh\n",
      null,
      null,
    ]);
  });

  it("takes one file, and then the rest", () => {
    act(["old.txt", "1"], ["a.txt", "a"]);
    expect(undo(only("a.txt")).files).toEqual([{ path: "a.txt", action: "removed" }]);
    expect(bytesAt("old.txt")).toBe("1");
    expect(undo()).toMatchObject({ by: "undo", files: [{ path: "old.txt", action: "restored" }] });
    expect(undo(only("a.txt"))).toMatchObject({ by: "redo", files: [{ path: "a.txt" }] });
  });

  it.each<[string, () => void, string]>([
    ["other content", () => writeFileSync(at("old.txt"), "mine"), "its content was changed since"],
    ["another mode", () => chmodSync(at("old.txt"), 0o644), "its mode was changed since, from 0600 to 0644"],
    ["nothing there", () => rmSync(at("old.txt")), "it was removed since"],
  ])(
    "refuses a file with %s, touches nothing, and with force keeps what it overwrites",
    (_, change, reason) => {
      const before = bytesAt("old.txt");
      act(["a.txt", "a"], ["old.txt", "1"]);
      change();
      const mine = bytesAt("old.txt");
      expect(undo()).toEqual({ by: "undo", files: [], refused: [{ path: "old.txt", reason }] });
      expect([bytesAt("a.txt"), bytesAt("old.txt")]).toEqual(["a", mine]);
      expect(undo(only("a.txt")).refused).toEqual([]);
      expect(undo({ force: true })).toMatchObject({ refused: [], files: [{ path: "old.txt" }] });
      expect([bytesAt("a.txt"), bytesAt("old.txt")]).toEqual([null, before]);
      expect(undo(only("old.txt")).refused).toEqual([]);
      expect(bytesAt("old.txt")).toBe(mine);
    },
  );

  it("refuses a file that was removed, and is there again; one that is as it was is left alone", () => {
    act(["gone.sh", null], ["old.txt", "1"]);
    writeFileSync(at("gone.sh"), "mine");
    expect(undo().refused).toEqual([{ path: "gone.sh", reason: "it was made anew since" }]);
    writeFileSync(at("gone.sh"), "#!/bin/sh\n");
    chmodSync(at("gone.sh"), 0o755);
    expect(undo().files).toEqual([
      { path: "gone.sh", action: "unchanged" },
      { path: "old.txt", action: "restored" },
    ]);
  });

  it("never follows a link that is there now, not with force either", () => {
    act(["old.txt", "1"], ["dir/a.txt", "a"]);
    folder.write("elsewhere/a.txt", "a");
    rmSync(at("old.txt"));
    symlinkSync(folder.path("elsewhere/a.txt"), at("old.txt"));
    rmSync(at("dir"), { recursive: true });
    symlinkSync(folder.path("elsewhere"), at("dir"));
    expect(undo({ force: true }).refused).toEqual([
      { path: "dir/a.txt", reason: "a folder of its path is a symbolic link now" },
      { path: "old.txt", reason: "it is a symbolic link now" },
    ]);
    expect(folder.read("elsewhere/a.txt")).toBe("a");
  });

  it("makes a folder anew where it is gone, and says what is a folder now", () => {
    mkdirSync(at("d"));
    writeFileSync(at("d/x"), "x");
    act(["d/x", null], ["old.txt", "1"]);
    rmSync(at("d"), { recursive: true });
    rmSync(at("old.txt"));
    mkdirSync(at("old.txt"));
    expect(undo().refused).toEqual([{ path: "old.txt", reason: "it is no regular file now" }]);
    undo(only("d/x"));
    expect(bytesAt("d/x")).toBe("x");
  });

  it("touches nothing where one of the files can't be written", () => {
    // A path so long that none with a longer name beside it can be opened.
    let deep = at("d");
    while (deep.length < 4090) deep = path.join(deep, "x".repeat(Math.min(200, 4090 - deep.length)));
    mkdirSync(deep, { recursive: true });
    const name = path.join(path.relative(folder.path("ws"), deep), "f");
    writeFileSync(at(name), "f");
    act([name, "2"], ["old.txt", "1"]);
    const { files, refused } = undo();
    expect(files).toEqual([]);
    expect(refused).toEqual([
      { path: "old.txt", reason: `not reached, since ${name} failed` },
      { path: name, reason: expect.stringContaining("ENAMETOOLONG") },
    ]);
    expect([bytesAt("old.txt"), bytesAt(name)]).toEqual(["1", "2"]);
    expect(readdirSync(folder.path("ws"))).toEqual(["d", "gone.sh", "old.txt"]);
  });

  it("says where a before-image is missing", () => {
    act(["old.txt", "1"]);
    rmSync(path.join(session, "before"), { recursive: true });
    expect(() => undo()).toThrow("what old.txt held is no longer kept");
  });

  it("keeps the images of a session that goes on apart", () => {
    act(["old.txt", "1"]);
    act(["old.txt", "2"]);
    expect(readFileSync(path.join(session, "before/1"), "latin1")).toContain("old");
    expect(readFileSync(path.join(session, "before/2"), "latin1")).toBe("1");
  });
});
