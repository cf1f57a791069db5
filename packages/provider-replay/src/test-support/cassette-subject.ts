import type { FinishReason, Tool } from "@toycoder/core";
import { type PlayedSubject, sampleTool, scriptedModel, tempWorkspace } from "@toycoder/testing";
import { recordModel } from "../record-model.ts";
import { replayModel } from "../replay-model.ts";

const STOPS: readonly FinishReason[] = ["stop", "length", "refusal"];

/** For the model contract: each answer is recorded to a cassette, and comes from there. */
export const CASSETTE: PlayedSubject = {
  name: "a cassette",
  stops: STOPS.map((reason) => [reason, reason]),
  async play(answers) {
    const folder = tempWorkspace();
    const lines: string[] = [];
    const script = scriptedModel(
      answers.map(({ text, refusal = text, calls, stop, usage }) => {
        const finish = STOPS.find((reason) => reason === stop) ?? (refusal === text ? undefined : "refusal");
        return {
          ...(refusal !== undefined && { text: refusal }),
          ...(calls && { calls }),
          ...(usage && { usage }),
          ...(finish && { finish }),
        };
      }),
    );
    const recorder = recordModel(script, (line) => void lines.push(line));
    const { signal } = new AbortController();
    const tools: readonly Tool[] = [sampleTool];
    for (const _ of answers) {
      await Array.fromAsync(recorder.stream({ instructions: "", messages: [], tools }, { signal }));
    }
    return {
      model: replayModel(folder.write("answers.jsonl", lines.join("\n"))),
      [Symbol.asyncDispose]: () => Promise.resolve(folder.dispose()),
    };
  },
};
