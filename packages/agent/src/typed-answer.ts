import { errorInfo, type JsonSchema } from "@toycoder/core";
import type { AnswerSchema } from "./answer-schema.ts";
import type { Ending } from "./ending.ts";
import type { Emit } from "./turn.ts";

/** How often a model may put an answer right that does not fit. */
const MAX_REPAIRS = 2;

/** Holds a run's final answer to a schema. */
export class TypedAnswer {
  readonly #schema: AnswerSchema;
  readonly #emit: Emit;
  #repairs = 0;
  /** The answer's value, once there is one that fits. */
  value: unknown = null;
  /** Its JSON text. */
  text: string | undefined;

  constructor(schema: AnswerSchema, emit: Emit) {
    this.#schema = schema;
    this.#emit = emit;
  }

  /** What a request says of it. Told in words, too: not every provider takes every schema, or takes one beside tools. */
  request(instructions: string): { instructions: string; outputSchema: JsonSchema } {
    const { wire } = this.#schema;
    const told = `When the task is done, your final answer must be JSON that fits this JSON Schema, and nothing else:\n${JSON.stringify(wire)}`;
    return { instructions: `${instructions}\n\n${told}`, outputSchema: wire };
  }

  /**
   * What follows where a run would end so, after the model has `said` this: that end or another one, or what to
   * tell the model so that it goes on. An end by a limit, a refusal or a missing rule stays what it is.
   */
  async next(ending: Ending | undefined, said: string): Promise<Ending | string | undefined> {
    if (ending?.status !== "completed" && ending?.status !== "denied") return ending;
    const judged = await this.#schema.judge(said);
    if (judged.ok) {
      this.value = judged.value;
      this.text = judged.text;
      return ending;
    }
    if (ending.status === "denied") return ending;
    const message = `the answer does not fit the schema: ${judged.problems.join("; ")}`;
    if (this.#repairs === MAX_REPAIRS) {
      const hint = "make the schema easier to meet, or say in the task what belongs in it";
      return { status: "output_invalid", error: errorInfo("output_invalid", message, hint) };
    }
    this.#repairs++;
    this.#emit({ type: "notice", code: "output_invalid", message });
    return `Your answer does not fit the JSON Schema that it must fit:\n${judged.problems.map((problem) => `- ${problem}`).join("\n")}\nAnswer again: the whole JSON, put right, and nothing else.`;
  }
}
