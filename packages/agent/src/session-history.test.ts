import {
  createSession,
  createPolicy,
  createWorkspace,
  defineTool,
  text,
  ToolRegistry,
  type ContentPart,
  type Message,
  type Model,
  type ModelRequest,
} from "@toycoder/core";
import { scriptedModel, type ScriptedTurnOrMaker, tempWorkspace } from "@toycoder/testing";
import { readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { stamp } from "./event.ts";
import { resumeSession } from "./resume-session.ts";
import { runAgent } from "./run-agent.ts";
import { SessionFolder } from "./session-folder.ts";
import { sessionHistory } from "./session-history.ts";

const IMAGE: ContentPart = { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" };

const TOOLS = [
  defineTool({
    name: "look",
    description: "Looks.",
    input: z.object({ at: z.string() }),
    execute: ({ at }) => at,
    toModel: (at) => [text(`saw ${at}`), IMAGE],
  }),
];

/** A model whose calls and thoughts carry what the provider wants back. */
function thinkingModel(turns: readonly ScriptedTurnOrMaker[]): Model & { requests: readonly ModelRequest[] } {
  const model = scriptedModel(turns);
  return {
    id: model.id,
    requests: model.requests,
    async *stream(request, options) {
      yield { type: "reasoning", text: "hm" };
      yield { type: "reasoning", text: "", data: { provider: "p", value: { signature: "s" } } };
      for await (const event of model.stream(request, options)) {
        yield event.type === "tool_call"
          ? { ...event, call: { ...event.call, data: { provider: "p", value: 1 } } }
          : event;
      }
    },
  };
}

const call = (at: string) => ({ name: "look", arguments: { at } });
/** Answers by what it is asked: a turn for each result that it sees. */
const SCRIPT: ScriptedTurnOrMaker = ({ messages }) => {
  const seen = messages.filter(({ role }) => role === "tool").length;
  return seen < 3
    ? {
        text: `turn ${seen}`,
        calls: [
          { ...call("a"), id: `a${seen}` },
          { ...call("b"), id: `b${seen}` },
        ],
      }
    : { text: "Done." };
};

interface Part {
  history?: readonly Message[];
  task?: readonly ContentPart[];
  folder: SessionFolder;
  opening?: ReturnType<typeof resumeSession>["opening"];
  lastTurn?: number;
}

/** Runs, and keeps the events, to the end. Gives the requests. */
async function run(
  root: string,
  { history, lastTurn = 0, task, folder, opening = [] }: Part,
): Promise<readonly ModelRequest[]> {
  const registry = new ToolRegistry();
  registry.registerMany(TOOLS);
  const session = createSession({
    id: folder.id,
    registry,
    workspace: createWorkspace({ root }),
    policy: createPolicy({ root }),
  });
  const model = thinkingModel(Array.from({ length: 9 }, () => SCRIPT));
  const options = {
    model,
    session,
    instructions: "x",
    ...(history && { history, lastTurn }),
    ...(task && { task }),
  };
  for await (const event of runAgent(options)) {
    folder.append(event);
    if (event.type === "session_start") for (const body of opening) folder.append(stamp(body));
  }
  folder.close();
  return model.requests;
}

const TASK: readonly ContentPart[] = [text("Look at it."), IMAGE];

async function recorded(root: string): Promise<{ requests: readonly ModelRequest[]; lines: string }> {
  const folder = SessionFolder.create(root, "whole");
  const requests = await run(root, { task: TASK, folder });
  return { requests, lines: readFileSync(`${folder.folder}/events.jsonl`, "utf8") };
}

function cutAt(root: string, lines: string, end: number, id: string): string {
  const folder = `${root}/sessions/${id}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/events.jsonl`, Buffer.from(lines).subarray(0, end));
  return folder;
}

describe("a session that was cut off", () => {
  it("asks on with exactly the messages of an undisturbed run, wherever between calls it was cut", async () => {
    using state = tempWorkspace();
    const { requests, lines } = await recorded(state.root);
    let end = 0;
    for (const line of lines.split("\n").slice(0, -1)) {
      end += Buffer.byteLength(line) + 1;
      const folder = cutAt(state.root, lines, end, `cut${end}`);
      const { session, history, opening, open } = resumeSession(folder);
      const answered = history.filter(({ role }) => role === "assistant").length;
      if (!open || opening.some(({ type }) => type === "tool_result")) {
        session.close();
        continue;
      }
      const asked = await run(state.root, { history, opening, folder: session });
      expect(asked[0]?.messages).toEqual(requests[answered]?.messages);
      expect(asked.at(-1)?.messages).toEqual(requests.at(-1)?.messages);
      // What it wrote is again a session: the same conversation.
      const again = resumeSession(folder);
      again.session.close();
      expect(again.history).toEqual(expect.arrayContaining([...(requests.at(-1)?.messages ?? [])]));
    }
  });

  it("can go on from any byte; calls without a result are uncertain, and only those", async () => {
    using state = tempWorkspace();
    const { requests, lines } = await recorded(state.root);
    const whole = requests.at(-1)?.messages ?? [];
    const bytes = Buffer.byteLength(lines);
    for (let end = 0; end <= bytes; end++) {
      const nearLineEnd = lines.slice(Math.max(0, end - 2), end + 1).includes("\n");
      if (!nearLineEnd && end % 37 !== 0) continue;
      const folder = cutAt(state.root, lines, end, "any");
      const { session, history, opening } = resumeSession(folder);
      session.close();
      const torn = !(end === 0 || lines[end - 1] === "\n");
      expect(opening.some((body) => body.type === "notice" && body.code === "torn_line")).toBe(torn);
      expect(readFileSync(`${folder}/events.jsonl`, "utf8")).toBe(
        lines.slice(0, lines.lastIndexOf("\n", end - 1) + 1),
      );
      const uncertain = opening.flatMap((body) => (body.type === "tool_result" ? [body.callId] : []));
      for (const [at, message] of history.entries()) {
        if (message.role !== "tool" || uncertain.length === 0 || at < history.length - 1)
          expect(message).toEqual(whole[at] ?? { role: "assistant", content: expect.anything() });
        else
          expect(
            message.results.filter(({ code }) => code === "uncertain").map(({ callId }) => callId),
          ).toEqual(uncertain);
      }
    }
  });

  it("keeps uncertain calls uncertain once that was written, and takes up a new task after them", () => {
    using state = tempWorkspace();
    const folder = SessionFolder.create(state.root, "s");
    const calls = ["a", "b"].map(
      (id) => ({ type: "tool_call", turn: 1, callId: id, name: "look", arguments: {} }) as const,
    );
    const usage = {
      inputTokens: 1,
      outputTokens: 1,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
      costUsd: null,
    };
    const done = {
      type: "tool_result",
      turn: 1,
      callId: "b",
      name: "look",
      ok: true,
      content: [text("b")],
      notes: [],
      durationMs: 1,
    } as const;
    const bodies = [
      { type: "user", content: [text("Go.")] },
      { type: "turn_start", turn: 1, tools: [] },
      ...calls,
      { type: "usage", turn: 1, ...usage },
      done,
    ] as const;
    for (const body of bodies) folder.append(stamp(body));
    folder.close();
    const first = resumeSession(folder.folder);
    expect(first.opening.map(({ type }) => type)).toEqual(["notice", "tool_result", "turn_end"]);
    for (const body of first.opening) first.session.append(stamp(body));
    first.session.append(stamp({ type: "user", content: [text("Look first.")] }));
    first.session.close();
    const second = resumeSession(folder.folder);
    second.session.close();
    expect(second.opening).toEqual([]);
    expect(second.open).toBe(true);
    expect(second.history).toMatchObject([
      { role: "user" },
      { role: "assistant" },
      {
        role: "tool",
        results: [
          { callId: "a", ok: false, code: "uncertain" },
          { callId: "b", ok: true },
        ],
      },
      { role: "user", content: [{ text: "Look first." }] },
    ]);
  });
});

describe("sessionHistory", () => {
  it("counts turns on where a compaction took answers away", async () => {
    using state = tempWorkspace();
    const { lines } = await recorded(state.root);
    const compaction = {
      type: "compaction",
      turn: 4,
      reason: "near",
      dropped: 4,
      summary: "s",
      tokensBefore: 2,
      tokensAfter: 1,
    } as const;
    const end = lines.split("\n").findIndex((line) => line.includes('"type":"turn_start","turn":4'));
    const kept = `${lines.split("\n").slice(0, end).join("\n")}\n${JSON.stringify(stamp(compaction))}\n`;
    const { session, ...rest } = resumeSession(cutAt(state.root, kept, Infinity, "compacted"));
    expect(rest).toMatchObject({ lastTurn: 3, open: true, history: { length: 4 } });
    await run(state.root, { ...rest, folder: session });
    expect(readFileSync(`${session.folder}/events.jsonl`, "utf8")).toContain('"type":"turn_start","turn":4');
  });

  it("leaves out an answer that is not whole, and is at its end after a last word", async () => {
    using state = tempWorkspace();
    const { lines } = await recorded(state.root);
    const events = lines
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as ReturnType<typeof stamp>);
    expect(sessionHistory(events).open).toBe(false);
    const half = events.slice(
      0,
      events.findIndex(({ type }) => type === "usage"),
    );
    expect(half.some(({ type }) => type === "tool_call")).toBe(true);
    expect(sessionHistory(half)).toEqual({
      messages: [{ role: "user", content: TASK }],
      lastTurn: 0,
      uncertain: [],
      open: true,
    });
  });
});
