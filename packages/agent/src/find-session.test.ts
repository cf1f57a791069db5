import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { type TempWorkspace, tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { stamp } from "./event.ts";
import { findSession, lastSession, sessionIds } from "./find-session.ts";
import { forkSession } from "./fork-session.ts";
import { DAY, pruneHourly, pruneSessions } from "./prune-sessions.ts";
import { readSessionFile } from "./session-file.ts";
import { SessionFolder } from "./session-folder.ts";
import { summarizeSession } from "./session-summary.ts";

/** A session that was last written so many days ago; left open where it is to be locked. */
function session(state: TempWorkspace, id: string, days: number, workspace = "/w", bytes = 0): SessionFolder {
  const folder = SessionFolder.create(state.root, id);
  folder.append(stamp({ type: "session_start", sessionId: id, model: "m", workspace, task: id }));
  mkdirSync(folder.spillFolder);
  writeFileSync(`${folder.spillFolder}/x`, Buffer.alloc(bytes));
  const at = new Date(Date.now() - days * DAY);
  utimesSync(`${folder.folder}/events.jsonl`, at, at);
  return folder;
}

describe("findSession and lastSession", () => {
  it("take a whole name, one cut short, and the last of a workspace", () => {
    using state = tempWorkspace();
    for (const [index, id] of ["20260101-a1", "20260101-a", "20260102-b"].entries())
      session(state, id, index, index === 2 ? "/other" : "/w").close();
    expect(sessionIds(state.root)).toEqual(["20260101-a1", "20260101-a", "20260102-b"]);
    expect(findSession(state.root, "20260101-a")).toBe(state.path("sessions/20260101-a"));
    expect(findSession(state.root, "20260102")).toBe(state.path("sessions/20260102-b"));
    expect(() => findSession(state.root, "202601")).toThrow("3 sessions begin with 202601");
    for (const given of ["", "x", "../sessions/20260102-b", "."])
      expect(() => findSession(state.root, given)).toThrow("there is no session");
    const last = (workspace: string): string =>
      lastSession(state.root, (one) => one === workspace, workspace);
    expect(last("/w")).toBe(state.path("sessions/20260101-a1"));
    expect(last("/other")).toBe(state.path("sessions/20260102-b"));
    expect(() => last("/none")).toThrow("there is no session of the workspace /none");
    expect(sessionIds(state.path("nowhere"))).toEqual([]);
  });
});

describe("pruneSessions", () => {
  it("goes by age, then by size, and leaves the current and the locked ones", () => {
    using state = tempWorkspace();
    session(state, "new", 0, "/w", 600_000).close();
    session(state, "middle", 1, "/w", 600_000).close();
    session(state, "old", 2, "/w").close();
    session(state, "ancient", 40, "/w").close();
    const locked = session(state, "locked", 50, "/w");
    session(state, "current", 60, "/w").close();
    expect(pruneSessions(state.root, { keepDays: 30, maxMegabytes: 100 }, "current")).toEqual(["ancient"]);
    expect(pruneSessions(state.root, { keepDays: 30, maxMegabytes: 1 }, "current")).toEqual([
      "middle",
      "old",
    ]);
    expect(sessionIds(state.root)).toEqual(["new", "locked", "current"]);
    locked.close();
    expect(pruneHourly(state.root, { keepDays: 30, maxMegabytes: 100 }, "new")).toEqual([
      "locked",
      "current",
    ]);
    session(state, "ancient", 40, "/w").close();
    expect(pruneHourly(state.root, { keepDays: 30, maxMegabytes: 100 }, "new")).toEqual([]);
  });
});

describe("readSessionFile", () => {
  it.each([
    ['{"v":1,"type":"a"}\n{"v":1,\n{"v":1,"type":"b"}\n', "session_damaged", ":2: "],
    ['{"v":1,"type":"a"}\n[]\n', "session_damaged", ':2: a line is an object with a "type"'],
    [
      '{"v":2,"type":"a"}\n',
      "session_version",
      ":1: format version 2 is not known here; this version reads 1",
    ],
  ])("%j: %s", (content, code, message) => {
    using state = tempWorkspace({ "sessions/s/events.jsonl": content });
    const file = state.path("sessions/s/events.jsonl");
    try {
      readSessionFile(file);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code, message: expect.stringContaining(`${file}${message}`) });
    }
    expect(() => SessionFolder.open(state.path("sessions/s"))).toThrow(file);
    expect(summarizeSession(state.path("sessions/s"))).toMatchObject({ status: "unreadable" });
  });

  it.each(['{"v":1,"ty', '{"v":1,"type":"b"}', "\0\0\0\n", "{\n"])("drops a last line of %j", (torn) => {
    using state = tempWorkspace({ "e.jsonl": `{"v":1,"type":"a"}\n${torn}` });
    const { events, wholeBytes, tornBytes } = readSessionFile(state.path("e.jsonl"));
    expect([events.length, wholeBytes, tornBytes]).toEqual([1, 19, torn.length]);
  });
});

describe("forkSession", () => {
  it("copies what there is, and refuses a session that is being written", () => {
    using state = tempWorkspace();
    const one = session(state, "one", 1);
    expect(() => forkSession(one.folder, "two")).toThrow("is being written");
    one.close();
    const copy = forkSession(one.folder, "two");
    expect(state.read("sessions/two/events.jsonl")).toBe(state.read("sessions/one/events.jsonl"));
    expect(readSessionFile(`${copy}/events.jsonl`).events).toHaveLength(1);
    expect(sessionIds(state.root)).toEqual(["two", "one"]);
  });
});
