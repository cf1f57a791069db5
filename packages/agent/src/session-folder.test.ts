import { readFileSync, statSync } from "node:fs";
import { isSetupError } from "@toycoder/core";
import { tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { stamp } from "./event.ts";
import { newSessionId, SessionFolder, stateFolder } from "./session-folder.ts";

describe("stateFolder", () => {
  it.each([
    [{ TOYCODER_STATE_DIR: "/s", XDG_STATE_HOME: "/x", HOME: "/h" }, "/s"],
    [{ XDG_STATE_HOME: "/x", HOME: "/h" }, "/x/toycoder"],
    [{ HOME: "/h" }, "/h/.local/state/toycoder"],
  ])("%j: %s", (env, expected) => {
    expect(stateFolder(env)).toBe(expected);
  });
});

describe("SessionFolder", () => {
  it("appends whole batches, without deltas, for its owner alone", () => {
    using state = tempWorkspace();
    const folder = SessionFolder.create(state.root, "s1");
    const file = state.path("sessions/s1/events.jsonl");
    folder.append(stamp({ type: "turn_start", turn: 1, tools: [] }));
    folder.append(stamp({ type: "text_delta", turn: 1, text: "x" }));
    expect(readFileSync(file, "utf8")).toBe("");
    folder.append(stamp({ type: "turn_end", turn: 1, finish: "stop" }));
    const lines = readFileSync(file, "utf8").trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual([
      "turn_start",
      "turn_end",
    ]);
    expect(statSync(folder.folder).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    folder.close();
  });

  it("never takes a session that is there, and says where the folder can't be made", () => {
    using state = tempWorkspace({ file: "x" });
    SessionFolder.create(state.root, "s1").close();
    for (const place of [state.root, state.path("file")]) {
      try {
        SessionFolder.create(place, "s1");
        expect.unreachable();
      } catch (error) {
        expect(isSetupError(error) && error.code).toBe("session_folder");
      }
    }
  });

  it("names sessions by their time", () => {
    expect(newSessionId(new Date("2026-01-31T09:45:12Z"))).toMatch(/^20260131-094512-[0-9a-f]{6}$/);
  });
});
