import { readFileSync } from "node:fs";
import { tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { cassette } from "../test-support/cassette.ts";
import { runToycoder } from "../test-support/run-toycoder.ts";

const DOCUMENT = readFileSync(new URL("../../../../docs/sessions.md", import.meta.url), "utf8");
const LINES = /```jsonl\n(.*?)```/s.exec(DOCUMENT)?.[1] ?? "";
const TYPES = [...DOCUMENT.matchAll(/^\| `([a-z_]+)` +\| (.*) \|$/gm)].map(([, type = "", fields = ""]) => ({
  type,
  fields,
}));

describe("docs/sessions.md", () => {
  it("shows lines of a session that can be shown and go on", async () => {
    using folder = tempWorkspace({ "c.jsonl": await cassette([{ text: "Looked." }]) });
    folder.write(
      ".state/sessions/20260131-094512-3fa9c1/events.jsonl",
      LINES.replaceAll("/work/project", folder.root),
    );
    const at = { cwd: folder.root };
    const show = await runToycoder(["sessions", "show", "2026"], at);
    expect([show.code, show.stdout]).toEqual([0, expect.stringContaining("> Add a licence.")]);
    const run = await runToycoder(["run", "--resume", "last", "--model", "replay:c.jsonl"], at);
    expect([run.code, run.stdout]).toEqual([0, "Looked.\n"]);
    expect(run.stderr).toContain("are not repeated: write_file");
  });

  it("names every type and field that a run writes", async () => {
    const call = { name: "write_file", arguments: { path: "new/a.txt", content: "a\n" } };
    using folder = tempWorkspace({
      "c.jsonl": await cassette([{ text: "x", calls: [call, { ...call, name: "no" }] }, { text: "y" }]),
    });
    const args = [
      "run",
      "x",
      "--model",
      "replay:c.jsonl",
      "--allow",
      "write_file",
      "--output",
      "stream-json",
    ];
    const { stdout } = await runToycoder(args, { cwd: folder.root });
    const passing = new Set(["text_delta", "reasoning_delta", "tool_progress"]);
    for (const line of stdout.trim().split("\n")) {
      const { v, at, type, ...rest } = JSON.parse(line) as Record<string, unknown>;
      expect([v, typeof at]).toEqual([1, "string"]);
      if (passing.has(String(type))) continue;
      const row = TYPES.find((one) => one.type === type);
      expect([type, row?.type]).toEqual([type, type]);
      for (const field of Object.keys(rest)) expect(row?.fields).toContain(`\`${field}\``);
    }
  });
});
