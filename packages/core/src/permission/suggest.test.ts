import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide, exec, write } from "../test-support/decide.ts";
import type { Effect } from "./effect.ts";

describe("approvals of the session", () => {
  it("answer what would be asked, an ask rule's question too", () => {
    const approvals = ["run_command(git push)"];
    const policy = { ask: ["exec:git push *"] };
    expect(decide("run_command", [exec("git push")], policy, { approvals }).decision).toBe("allow");
    expect(decide("run_command", [exec("git push -f")], policy, { approvals }).decision).toBe("ask");
  });

  it("lift no denial", () => {
    const approvals = ["run_command"];
    expect(decide("run_command", [exec("rm x")], { deny: ["exec:rm *"] }, { approvals }).decision).toBe(
      "deny",
    );
  });
});

describe("suggestions", () => {
  const word = fc.string({ minLength: 1 }).filter((text) => !text.includes("\0"));

  it("allow the call when added, whatever its words", () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (argv) => {
        const effects: Effect[] = [{ kind: "exec", argv }];
        const asked = decide("run_command", effects);
        expect(asked.suggestion).not.toBeNull();
        expect(decide("run_command", effects, { allow: asked.suggestions }).decision).toBe("allow");
      }),
      { seed: 11 },
    );
  });

  it("allow that file alone, whatever its name", () => {
    const name = word.filter((text) => !text.includes("/") && text !== "." && text !== "..");
    fc.assert(
      fc.property(name, (file) => {
        const asked = decide("write_file", [write(`./${file}`)]);
        const policy = { allow: asked.suggestions };
        expect(decide("write_file", [write(`./${file}`)], policy).decision).toBe("allow");
        expect(decide("write_file", [write(`sub/${file}`)], policy).decision).toBe("ask");
      }),
      { seed: 13 },
    );
  });

  it("name each uncovered effect", () => {
    const { suggestion, suggestions } = decide("run_command", [exec("ls"), exec("rm x")], {
      allow: ["exec:ls"],
    });
    expect([suggestion, suggestions]).toEqual(["run_command(rm x)", ["run_command(rm x)"]]);
  });
});
