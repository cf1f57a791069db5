import { ModelError, type Model, type ModelRequest } from "@toycoder/core";
import {
  scriptedModel,
  type ScriptedTurnOrMaker,
  tempWorkspace,
  type TempWorkspace,
} from "@toycoder/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sessionHistory } from "./session-history.ts";
import { bodyOf, eventsOf, work } from "./test-support/work.ts";

let folder: TempWorkspace;
beforeAll(() => {
  folder = tempWorkspace();
});
afterAll(() => folder.dispose());

const tokensOf = (request: ModelRequest): number => Math.ceil(bodyOf(request).length / 4);
const isSummary = (request: ModelRequest): boolean => request.tools.length === 0;

/** A model with a window: it counts as a provider does, and turns away what doesn't fit where `strict` is set. */
function windowed(
  contextWindow: number | undefined,
  answer: (request: ModelRequest, turn: number) => ScriptedTurnOrMaker,
  { limit = Infinity, summary = "the summary" }: { limit?: number; summary?: string | Error } = {},
): Model & { requests: readonly ModelRequest[] } {
  let turn = 0;
  const maker = async (request: ModelRequest) => {
    if (isSummary(request)) {
      return summary instanceof Error
        ? { error: summary }
        : { text: summary, usage: { inputTokens: 7, outputTokens: 1 } };
    }
    const inputTokens = tokensOf(request);
    if (inputTokens > limit)
      return { error: new ModelError("context_overflow", "too long", { status: 400 }) };
    const made = answer(request, ++turn);
    const given = typeof made === "function" ? await made(request) : made;
    return { usage: { inputTokens, outputTokens: 10 }, ...given };
  };
  const model = scriptedModel(Array.from({ length: 300 }, () => maker));
  return { ...model, ...(contextWindow !== undefined && { contextWindow }) };
}

const fill = (characters: number) => ({ name: "fill", arguments: { characters } });
/** Calls `fill` in each of the turns, then ends. */
const filling = (turns: number, characters: number) => (_: ModelRequest, turn: number) =>
  turn <= turns
    ? { text: `turn ${turn}`, calls: [{ ...fill(characters), id: `c${turn}` }] }
    : { text: "Done." };

describe("near the window", () => {
  it("the older part gives way to the model's summary, and the usage of that counts", async () => {
    const model = windowed(4000, filling(12, 2000));
    const { result, events } = await work(folder.root, model);
    expect(result).toMatchObject({ status: "completed", text: "Done.", turns: 13 });
    const [first, ...more] = eventsOf(events, "compaction");
    expect(first).toMatchObject({ reason: "near", summary: "the summary" });
    expect(first!.tokensAfter).toBeLessThan(first!.tokensBefore);
    const asked = model.requests.filter(isSummary);
    expect(asked).toHaveLength(1 + more.length);
    expect(asked[0]).toMatchObject({ aside: true, messages: [{ role: "user" }] });
    expect(bodyOf(asked[0])).toContain("## Assistant\\nturn 1\\n[calls fill");
    expect(bodyOf(asked[0])).toContain("## Result of fill (ok)");
    expect(bodyOf(asked[0]).length).toBeLessThan(4000 * 4);
    const extra = eventsOf(events, "usage").filter(({ purpose }) => purpose === "compaction");
    expect(extra).toHaveLength(asked.length);
    const sum = eventsOf(events, "usage").reduce((total, { inputTokens }) => total + inputTokens, 0);
    expect(result.usage.inputTokens).toBe(sum);
  });

  it("the first task and the last four turns stay whole", async () => {
    const model = windowed(6000, filling(12, 2000));
    await work(folder.root, model, { task: "The very task." });
    const at = model.requests.findIndex(isSummary);
    const [task, summary, ...turns] = model.requests[at + 1]!.messages;
    expect(task).toMatchObject({ role: "user", content: [{ text: "The very task." }] });
    expect(summary).toMatchObject({
      role: "user",
      content: [{ text: expect.stringContaining("the summary") }],
    });
    expect(turns.map(({ role }) => role)).toEqual(
      Array.from({ length: 4 }, () => ["assistant", "tool"]).flat(),
    );
    expect(turns).toEqual(model.requests[at - 1]!.messages.slice(-6).concat(turns.slice(-2)));
  });

  it("a run of 60 turns on a tiny window ends, and no request goes over the window", async () => {
    const model = windowed(3000, filling(60, 1600), { limit: 3000 });
    const { result, events } = await work(folder.root, model, { limits: { turns: 100 } });
    expect(result).toMatchObject({ status: "completed", turns: 61 });
    expect(Math.max(...model.requests.map(tokensOf))).toBeLessThanOrEqual(3000);
    const compactions = eventsOf(events, "compaction");
    expect(compactions.length).toBeGreaterThan(5);
    expect(compactions.every(({ tokensBefore, tokensAfter }) => tokensAfter < tokensBefore)).toBe(true);
    expect(compactions.length).toBeLessThan(40);
  });

  it("goes by what the provider counts, where that is more than the texts say", async () => {
    const dense = windowed(
      12_000,
      (request, turn) => ({
        ...(filling(12, 2000)(request, turn) as object),
        usage: { inputTokens: 3 * tokensOf(request), outputTokens: 10 },
      }),
      { limit: 4000 },
    );
    const { events } = await work(folder.root, dense);
    expect(new Set(eventsOf(events, "compaction").map(({ reason }) => reason))).toEqual(new Set(["near"]));
  });

  it("a summary that is longer than what it stands for is cut", async () => {
    const model = windowed(4000, filling(12, 2000), { summary: "long ".repeat(20_000) });
    const { events } = await work(folder.root, model);
    const compactions = eventsOf(events, "compaction");
    expect(compactions.length).toBeGreaterThan(0);
    for (const { summary } of compactions) expect(summary.length).toBeLessThan((4000 / 8) * 4 + 50);
  });

  it("a call is not spent on a summary that would free little", async () => {
    const model = windowed(10_000, filling(40, 500));
    const { result, events } = await work(folder.root, model, { task: "t".repeat(31_200) });
    expect(result.status).toBe("completed");
    expect(eventsOf(events, "compaction").length).toBeGreaterThan(0);
    expect(eventsOf(events, "compaction").length).toBeLessThan(5);
  });

  it("what cannot be made smaller is left alone", async () => {
    const model = windowed(1000, filling(3, 20));
    const { result, events } = await work(folder.root, model, { task: "t".repeat(3600) });
    expect(result.status).toBe("completed");
    expect(eventsOf(events, "compaction")).toEqual([]);
    expect(model.requests.filter(isSummary)).toEqual([]);
  });

  it("a model whose window is not known is asked as it is", async () => {
    const { events } = await work(folder.root, windowed(undefined, filling(12, 2000)));
    expect(eventsOf(events, "compaction")).toEqual([]);
  });
});

describe("over the window", () => {
  it("the turn is asked again, with the older part in a summary", async () => {
    const model = windowed(undefined, filling(8, 2000), { limit: 3000 });
    const { result, events } = await work(folder.root, model);
    expect(result).toMatchObject({ status: "completed", turns: 9 });
    expect(eventsOf(events, "compaction")[0]).toMatchObject({ reason: "overflow", summary: "the summary" });
    expect(eventsOf(events, "turn_start")).toHaveLength(9);
  });

  it("ever fewer turns are kept, at last with their results cut", async () => {
    const model = windowed(undefined, filling(5, 8000), { limit: 1200 });
    const { result, events } = await work(folder.root, model);
    expect(result).toMatchObject({ status: "completed" });
    const cut = eventsOf(events, "compaction").find(({ resultChars }) => resultChars !== undefined);
    expect(cut).toMatchObject({ resultChars: 2000, dropped: 0, summary: "" });
    expect(bodyOf(model.requests[2])).toContain("more characters]");
  });

  it("the run ends where nothing helps, after three tries at most", async () => {
    const model = windowed(undefined, filling(20, 8000), { limit: 100 });
    const { result, events } = await work(folder.root, model);
    expect(result).toMatchObject({
      status: "provider_error",
      exitCode: 4,
      error: {
        code: "context_overflow",
        message: "too long",
        hint: expect.stringContaining("larger context window"),
      },
    });
    expect(eventsOf(events, "compaction").length).toBeLessThanOrEqual(3);
    const long = windowed(undefined, filling(20, 8000), { limit: 30_000 });
    const shrinking = {
      ...long,
      stream: (request: ModelRequest, options: { signal: AbortSignal }) => {
        const asked = long.requests.length;
        return (
          asked > 12 && !isSummary(request) ? windowed(undefined, filling(0, 0), { limit: 0 }) : long
        ).stream(request, options);
      },
    };
    const ended = await work(folder.root, shrinking);
    expect(ended.result.error?.code).toBe("context_overflow");
    expect(
      eventsOf(ended.events, "compaction").map(({ dropped, resultChars }) => [dropped > 0, resultChars]),
    ).toEqual([
      [true, undefined],
      [true, undefined],
      [false, 2000],
    ]);
  });
});

describe("a summary that fails", () => {
  it.each([
    ["with an error", new ModelError("overloaded", "busy")],
    ["by being empty", "  "],
  ])("%s is made of the calls instead, and the run says so", async (_, summary) => {
    const model = windowed(undefined, filling(8, 2000), { limit: 3000, summary });
    const { result, events } = await work(folder.root, model);
    expect(result.status).toBe("completed");
    const [notice] = eventsOf(events, "notice");
    expect(notice).toMatchObject({
      code: "compaction",
      message: expect.stringContaining("list of the calls"),
    });
    expect(eventsOf(events, "compaction")[0]!.summary).toContain('- fill {"characters":2000}: ok');
  });

  it("is stopped with the run", async () => {
    const controller = new AbortController();
    const model: Model = {
      id: "stopped",
      async *stream(request, { signal }) {
        if (isSummary(request)) {
          controller.abort();
          throw new ModelError("network", `stopped: ${signal.aborted}`);
        }
        if (request.messages.length > 20) throw new ModelError("context_overflow", "too long");
        yield { type: "tool_call", call: { ...fill(2000), id: `c${request.messages.length}` } };
        yield { type: "finish", reason: "tool_calls" };
      },
    };
    const { result, events } = await work(folder.root, model, { signal: controller.signal });
    expect(result.status).toBe("cancelled");
    expect(eventsOf(events, "compaction")).toEqual([]);
  });
});

it("a session that was compacted goes on with the same messages as the run itself", async () => {
  const model = windowed(3000, filling(30, 1600), { limit: 2800 });
  const { events } = await work(folder.root, model, { limits: { turns: 100 } });
  expect(eventsOf(events, "compaction").length).toBeGreaterThan(2);
  const turns = model.requests.filter((request) => !isSummary(request));
  const kept = JSON.parse(JSON.stringify(events)) as typeof events;
  const starts = kept.flatMap(({ type }, at) => (type === "turn_start" ? [at] : []));
  for (const [index, at] of starts.entries()) {
    // As if the process had been killed there, before the model's answer.
    const answered = kept.findIndex(
      (event, place) => place > at && (event.type === "text" || event.type === "tool_call"),
    );
    expect(sessionHistory(kept.slice(0, answered)).messages).toEqual(turns[index]!.messages);
  }
});
