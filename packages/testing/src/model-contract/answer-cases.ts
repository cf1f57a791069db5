import assert from "node:assert/strict";
import { eventsOf, type ModelRun, runModel, sampleTool } from "../run-model.ts";
import { STANDARD } from "./ask-wire.ts";
import { callsOf, isStandard, parsed } from "./assertions.ts";
import type { ContractAnswer, ContractCase, PlayedSubject } from "./subject.ts";

const USAGE = { ...STANDARD.usage };
const UNICODE = 'Grüße, 世界 👩‍👩‍👧 \u{10FFFF} "quoted" \\ \t\n\r\u2028 </script> data: [DONE]';

/** What every model keeps, whatever brings its answers. */
export function answerCases({ play, stops }: Pick<PlayedSubject, "play" | "stops">): ContractCase[] {
  async function answerTo(answer: ContractAnswer): Promise<ModelRun> {
    await using played = await play([answer]);
    const run = await runModel(played.model);
    assert.equal(run.thrown, undefined);
    return run;
  }
  const reasonOf = (run: ModelRun): unknown => run.events.findLast(({ type }) => type === "finish");

  return [
    {
      name: "text, parallel calls, usage and the finish come out, each once",
      run: async () => isStandard(await answerTo(STANDARD)),
    },
    {
      name: "a text alone ends with stop",
      run: async () => {
        const run = await answerTo({ text: "Hi", usage: USAGE });
        assert.equal(run.text, "Hi");
        assert.deepEqual(reasonOf(run), { type: "finish", reason: "stop" });
      },
    },
    {
      name: "a call alone ends with tool_calls, and there is no text",
      run: async () => {
        const run = await answerTo({ calls: STANDARD.calls.slice(0, 1), usage: USAGE });
        assert.equal(run.text, "");
        assert.equal(callsOf(run).length, 1);
        assert.deepEqual(reasonOf(run), { type: "finish", reason: "tool_calls" });
      },
    },
    ...stops.map(([stop, reason]): ContractCase => ({
      name: `the stop reason ${stop} is ${reason}`,
      run: async () =>
        assert.deepEqual(reasonOf(await answerTo({ text: "x", stop, usage: USAGE })), {
          type: "finish",
          reason,
        }),
    })),
    {
      name: "a refusal is the answer's text and ends with refusal",
      run: async () => {
        const run = await answerTo({ refusal: "I will not.", usage: USAGE });
        assert.equal(run.text, "I will not.");
        assert.deepEqual(reasonOf(run), { type: "finish", reason: "refusal" });
      },
    },
    {
      name: "text and arguments keep every character",
      run: async () => {
        const json = JSON.stringify({ path: UNICODE });
        const run = await answerTo({
          text: UNICODE,
          calls: [{ id: "call_u", name: "read_file", arguments: json }],
          usage: USAGE,
        });
        assert.equal(run.text, UNICODE);
        assert.deepEqual(callsOf(run), [["call_u", "read_file", { path: UNICODE }]]);
      },
    },
    {
      name: "arguments that are no JSON come out as they are, for dispatch to judge",
      run: async () => {
        const text = '{"path": "a.txt", oops';
        const calls = [{ id: "call_x", name: "read_file", arguments: text }];
        const [event] = eventsOf(await answerTo({ calls, usage: USAGE }), "tool_call");
        assert.equal(event?.call.arguments, text);
      },
    },
    {
      name: "a call of a tool that was not offered, or without a name, comes out",
      run: async () => {
        const calls = ["no_such_tool", ""].map((name, index) => ({ id: `c${index}`, name, arguments: "{}" }));
        const run = await answerTo({ calls, usage: USAGE });
        assert.deepEqual(
          callsOf(run).map(([, name]) => name),
          ["no_such_tool", ""],
        );
      },
    },
    {
      name: "200 parallel calls come out in order, each with an id of its own",
      run: async () => {
        const calls = Array.from({ length: 200 }, (_, index) => ({
          id: `call_${index}`,
          name: "read_file",
          arguments: JSON.stringify({ path: `${index}.txt` }),
        }));
        const run = await answerTo({ calls, usage: USAGE });
        assert.deepEqual(
          callsOf(run),
          calls.map((call) => [call.id, call.name, parsed(call.arguments)]),
        );
      },
    },
    {
      name: "one model answers one call after another",
      run: async () => {
        await using played = await play([
          { text: "one", usage: USAGE },
          { text: "two", usage: USAGE },
        ]);
        const texts = [(await runModel(played.model)).text, (await runModel(played.model)).text];
        assert.deepEqual(texts, ["one", "two"]);
        assert.match(played.model.id, /^[^:]+:./);
      },
    },
    {
      name: "who stops reading an answer can ask again",
      run: async () => {
        await using played = await play([STANDARD, { text: "two", usage: USAGE }]);
        const { signal } = new AbortController();
        const request = { instructions: "", messages: [], tools: [sampleTool] };
        for await (const event of played.model.stream(request, { signal })) if (event.type === "text") break;
        assert.equal((await runModel(played.model)).text, "two");
      },
    },
    {
      name: "a signal that has aborted stops the call before anything is said",
      run: async () => {
        await using played = await play([STANDARD]);
        const run = await runModel(played.model, {}, { signal: AbortSignal.abort(new Error("too late")) });
        assert.deepEqual(run.events, []);
        assert.equal((run.thrown as Error).message, "too late");
      },
    },
  ];
}
