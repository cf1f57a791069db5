import { describe, expect, it } from "vitest";
import { parseFlags } from "./flags.ts";

const FLAGS = {
  model: { value: "MODEL", help: "" },
  allow: { value: "RULE", many: true, help: "" },
  output: { value: "FORMAT", choices: ["text", "json"], help: "" },
  "max-turns": { value: "N", count: true, help: "" },
  yes: { help: "" },
};

describe("parseFlags", () => {
  it("takes words and flags in any order", () => {
    const flags = parseFlags(
      ["do", "--model", "a:b", "it", "--allow=x", "--allow", "y", "--yes", "--max-turns", "3"],
      FLAGS,
    );
    expect(flags.words).toEqual(["do", "it"]);
    expect(flags.get("model")).toBe("a:b");
    expect(flags.all("allow")).toEqual(["x", "y"]);
    expect(flags.has("yes")).toBe(true);
    expect(flags.count("max-turns")).toBe(3);
    expect(flags.count("model2")).toBeUndefined();
  });

  it("takes the last of a flag that counts once, and all after -- for words", () => {
    const flags = parseFlags(["--model", "a", "--model", "b", "--", "--yes", "-x"], FLAGS);
    expect(flags.get("model")).toBe("b");
    expect(flags.words).toEqual(["--yes", "-x"]);
    expect(flags.has("yes")).toBe(false);
  });

  it.each([
    [["--modle", "x"], "unknown flag --modle"],
    [["--constructor"], "unknown flag --constructor"],
    [["-q"], "unknown flag -q"],
    [["--model"], "--model needs a value: --model MODEL"],
    [["--model", "--yes"], "--model needs a value: --model MODEL"],
    [["--yes=1"], "--yes takes no value"],
    [["--output", "xml"], '--output is one of text, json, not "xml"'],
    [["--max-turns", "0"], '--max-turns is a whole number from 1, not "0"'],
    [["--max-turns", "2.5"], '--max-turns is a whole number from 1, not "2.5"'],
  ])("%j: %s", (args, message) => {
    expect(() => parseFlags(args, FLAGS)).toThrow(message);
  });

  it("hints at the nearest flag", () => {
    try {
      parseFlags(["--modle", "x"], FLAGS);
      expect.unreachable();
    } catch (error) {
      expect((error as { hint?: string }).hint).toBe("did you mean --model?");
    }
  });
});
