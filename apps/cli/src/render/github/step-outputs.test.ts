import { emptyResult, type RunResult } from "@toycoder/agent";
import { describe, expect, it } from "vitest";
import { outputsIn } from "../../test-support/github-step.ts";
import { OUTPUT_BYTES, stepOutputs } from "./step-outputs.ts";

const result = (more: Partial<RunResult>): RunResult => ({ ...emptyResult("completed", null, "m"), ...more });

describe("the step outputs", () => {
  it("are read back as they were", () => {
    const given = result({ text: "a\n\nresult<<x\nx\ntext=1\n  ", sessionId: "s", output: { a: ["\n"] } });
    const { result: json, ...rest } = outputsIn(stepOutputs(given));
    expect(JSON.parse(json!)).toEqual(given);
    expect(rest).toEqual({ "exit-code": "0", status: "completed", "session-id": "s", text: given.text });
  });

  it("end with a delimiter that is new each time", () => {
    const delimiters = (text: string): string[] => [...text.matchAll(/<<(.+)$/gm)].map(([, one]) => one!);
    const all = [...delimiters(stepOutputs(result({}))), ...delimiters(stepOutputs(result({})))];
    expect(new Set(all).size).toBe(10);
  });

  it("fit in an environment variable, the result still JSON", () => {
    const long = "漢".repeat(100_000);
    const denial = {
      tool: "t",
      arguments: { [long]: long },
      code: "c",
      rule: null,
      suggestion: null,
      suggestions: [long],
    };
    const change = { path: long, kind: "created", additions: 1, deletions: 0 } as const;
    for (const more of [
      { text: long },
      { output: { a: long } },
      { denials: Array.from({ length: 50 }, () => denial) },
      { changes: Array.from({ length: 3000 }, () => ({ ...change, path: "a".repeat(200) })) },
      {
        text: long,
        changes: [change, change, change],
        denials: [denial],
        error: { code: "x", message: long },
      },
    ]) {
      const outputs = outputsIn(stepOutputs(result(more)));
      for (const value of Object.values(outputs))
        expect(Buffer.byteLength(value)).toBeLessThanOrEqual(OUTPUT_BYTES);
      expect(JSON.parse(outputs["result"]!)).toMatchObject({
        schemaVersion: 1,
        status: "completed",
        output: null,
      });
    }
  });
});
