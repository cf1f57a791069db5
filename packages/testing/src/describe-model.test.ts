import { describe, expect, it, test } from "vitest";
import { describeModel } from "./describe-model.ts";
import { modelContract } from "./model-contract/model-contract.ts";
import type { WireSubject } from "./model-contract/subject.ts";
import { type Flaws, tinyWire } from "./test-support/tiny-wire.ts";

const subject = (flaws?: Flaws): WireSubject => ({
  name: "a third party's model",
  stops: [
    ["stop", "stop"],
    ["length", "length"],
    ["refusal", "refusal"],
  ],
  wire: tinyWire(flaws),
});

describeModel(subject(), { describe, test });

/** The names of the cases that a model fails, but for those that take long. */
async function failuresOf(flaws: Flaws): Promise<string[]> {
  const cases = modelContract(subject(flaws)).filter(({ name }) => !/10 MB|one by one|come apart/.test(name));
  const runs = cases.map(({ name, run }) =>
    run().then(
      () => [],
      () => [name],
    ),
  );
  return (await Promise.all(runs)).flat();
}

describe("the contract", () => {
  it("has its cases for every model, and more for one behind HTTP", () => {
    const names = modelContract(subject()).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(60);
    const played = modelContract({ ...subject(), play: () => Promise.reject(new Error("not now")) });
    expect(played.length).toBeGreaterThan(10);
  });

  it("finds a history that is not made valid", async () => {
    const failed = await failuresOf({ rawHistory: true });
    expect(failed).toContain("a call without a result gets one that says cancelled");
    expect(failed).toContain("a result without a call, or a second one, stays here");
    expect(failed.every((name) => !/stream|retr/.test(name))).toBe(true);
  });

  it("finds a broken stream that is taken for an answer", async () => {
    expect(await failuresOf({ trusting: true })).toEqual([
      "an empty body is tried again, and doubles nothing",
      "a stream that ends too early is a failure, wherever it is cut",
    ]);
  });

  it("finds a key in a message", async () => {
    expect(await failuresOf({ talkative: true })).toEqual([
      "the key is in no message, whatever the server repeats",
    ]);
  });

  it("finds a model that does not try again", async () => {
    expect(await failuresOf({ retries: 0 })).toContain("a rate limit is tried again, and doubles nothing");
  });
});
