import { isSetupError, type Model, type ModelEvent, type ModelRequest, type Tool } from "@toycoder/core";
import { scriptedModel, tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { recordModel } from "./record-model.ts";
import { replayModel } from "./replay-model.ts";

const tool = (name: string): Tool => ({ name }) as Tool;
const ask = async (model: Model, messages: ModelRequest["messages"] = [], tools = [tool("a"), tool("b")]) => {
  const { signal } = new AbortController();
  return await Array.fromAsync(model.stream({ instructions: "", messages, tools }, { signal }));
};
const results = (...outcomes: [string, string, string?][]): ModelRequest["messages"] => [
  {
    role: "tool",
    results: outcomes.map(([callId, name, code]) => ({
      callId,
      name,
      ok: code === undefined,
      ...(code && { code }),
      content: [{ type: "text", text: "said" }],
    })),
  },
];

/** A cassette of two turns: calls a and b, of which b fails, then a text. */
async function record(): Promise<string[]> {
  const lines: string[] = [];
  const model = recordModel(
    scriptedModel([
      {
        text: "hm",
        calls: [
          { name: "a", arguments: '{"x":1}' },
          { name: "b", arguments: {} },
        ],
        usage: { inputTokens: 7 },
      },
      { text: "done" },
    ]),
    (line) => void lines.push(line),
  );
  await ask(model);
  await ask(model, results(["call_0_0", "a"], ["call_0_1", "b", "not_found"]));
  return lines;
}

async function mismatch(played: Promise<ModelEvent[]>): Promise<string> {
  try {
    await played;
  } catch (error) {
    if (isSetupError(error) && error.code === "replay_mismatch") return error.message;
    throw error;
  }
  throw new Error("it did not depart");
}

describe("record and replay", () => {
  it("gives back what was recorded", async () => {
    using folder = tempWorkspace({ "c.jsonl": (await record()).join("\n") });
    const model = replayModel(folder.path("c.jsonl"));
    expect(model.id).toBe(`replay:${folder.path("c.jsonl")}`);
    expect(await ask(model)).toEqual([
      { type: "text", text: "hm" },
      { type: "tool_call", call: { id: "call_0_0", name: "a", arguments: '{"x":1}' } },
      { type: "tool_call", call: { id: "call_0_1", name: "b", arguments: {} } },
      { type: "usage", usage: expect.objectContaining({ inputTokens: 7 }) as unknown },
      { type: "finish", reason: "tool_calls" },
    ]);
    const last = await ask(model, results(["call_0_0", "a"], ["call_0_1", "b", "not_found"]));
    expect(last[0]).toMatchObject({ text: "done" });
  });

  it("writes the lines of a session", async () => {
    const lines = (await record()).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ type, turn }) => `${String(type)} ${String(turn)}`)).toEqual([
      "turn_start 1",
      "text 1",
      "tool_call 1",
      "tool_call 1",
      "usage 1",
      "turn_end 1",
      "tool_result 1",
      "tool_result 1",
      "turn_start 2",
      "text 2",
      "usage 2",
      "turn_end 2",
    ]);
    expect(lines.every(({ v, at }) => v === 1 && typeof at === "string")).toBe(true);
    expect(lines[7]).toMatchObject({ callId: "call_0_1", name: "b", ok: false, code: "not_found" });
  });

  it("leaves out what a retry made void", async () => {
    const lines: string[] = [];
    const flaky: Model = {
      id: "flaky",
      async *stream() {
        yield { type: "text", text: "half" };
        yield { type: "retry", attempt: 1, delayMs: 0, error: { code: "network", message: "reset" } };
        yield { type: "text", text: "wh" };
        yield { type: "text", text: "ole" };
        yield { type: "finish", reason: "stop" };
      },
    };
    await ask(recordModel(flaky, (line) => void lines.push(line)));
    expect(
      lines
        .filter((line) => line.includes('"text"'))
        .map((line) => (JSON.parse(line) as { text: string }).text),
    ).toEqual(["whole"]);
  });

  it("departs where other tools are offered", async () => {
    using folder = tempWorkspace({ "c.jsonl": (await record()).join("\n") });
    const message = await mismatch(ask(replayModel(folder.path("c.jsonl")), [], [tool("a")]));
    expect(message.replace(folder.root, "")).toBe(
      [
        "the run departs from its cassette in turn 1: the tools are offered without b",
        "  /c.jsonl",
        "  line 1  offers a, b",
        "  now     offers a",
      ].join("\n"),
    );
  });

  it("departs where a call comes out otherwise, with both sides", async () => {
    using folder = tempWorkspace({ "c.jsonl": (await record()).join("\n") });
    for (const [outcomes, now] of [
      [
        results(["call_0_0", "a"], ["call_0_1", "b"]),
        "turn 1: call 2 came out otherwise\n  /c.jsonl\n  line 8  b → not_found\n  now     b → ok (said)",
      ],
      [
        results(["call_0_0", "a", "timeout"], ["call_0_1", "b", "not_found"]),
        "turn 1: call 1 came out otherwise\n  /c.jsonl\n  line 7  a → ok\n  now     a → timeout (said)",
      ],
      [results(["call_0_0", "a"]), "line 8  b → not_found\n  now     b → no result"],
    ] as const) {
      const model = replayModel(folder.path("c.jsonl"));
      await ask(model);
      const message = await mismatch(ask(model, outcomes));
      expect(message.replace(folder.root, "")).toContain(now);
    }
  });

  it("departs where the run goes on after its end", async () => {
    using folder = tempWorkspace({ "c.jsonl": (await record()).join("\n") });
    const model = replayModel(folder.path("c.jsonl"));
    await ask(model);
    await ask(model, results(["call_0_0", "a"], ["call_0_1", "b", "not_found"]));
    expect(await mismatch(ask(model))).toContain(
      "its end  after turn 2\n  now      the run asks for one more turn",
    );
  });

  it("passes over a session's other lines", async () => {
    const session = [
      '{"v":1,"type":"session_start","task":"x"}',
      ...(await record()),
      '{"v":1,"type":"result","result":{}}',
      "",
    ];
    using folder = tempWorkspace({ "s.jsonl": session.join("\n") });
    expect(await ask(replayModel(folder.path("s.jsonl")))).toHaveLength(5);
  });

  it.each([
    ["", "it holds no turn"],
    ["{", "c.jsonl:1: "],
    ["[]", 'c.jsonl:1: a line is an object with a "type"'],
    ['{"type":"text","text":"x"}', "c.jsonl:1: text comes before the first turn_start"],
    [
      '{"type":"turn_start","tools":[]}\n{"type":"tool_call","callId":"1"}',
      "c.jsonl:2: tool_call needs its arguments",
    ],
    ['{"type":"turn_start","tools":[]}\n{"type":"tool_result","callId":"1"}', "c.jsonl:2: tool_result of 1"],
    ['{"type":"turn_start"}', "c.jsonl:1: turn_start needs the list of tools"],
    ['{"v":2,"type":"turn_start","tools":[]}', "c.jsonl:1: format version 2 is not known"],
    ['{"type":"turn_start","tools":[]}\n{"type":"turn_end","finish":"end"}', "turn_end needs a finish: stop"],
  ])("refuses %j", (content, message) => {
    using folder = tempWorkspace({ "c.jsonl": content });
    expect(() => replayModel(folder.path("c.jsonl"))).toThrow(message);
  });

  it("says which file cannot be read", () => {
    expect(() => replayModel("/no/such/file.jsonl")).toThrow(
      "the cassette /no/such/file.jsonl cannot be read",
    );
  });
});
