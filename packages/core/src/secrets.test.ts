import { describe, expect, it } from "vitest";
import { createMask } from "./secrets.ts";

describe("createMask", () => {
  it("names the credential in place of its value, the longer of two first", () => {
    const mask = createMask({ a: "secret-1", b: "secret-1-longer", short: "abc", none: "" });
    expect(mask("x secret-1 secret-1-longer secret-1!")).toBe(
      "x [credential a] [credential b] [credential a]!",
    );
    expect(mask("abc")).toBe("abc");
  });

  it("takes a value literally", () => {
    expect(createMask({ a: "$&.*+[1]" })("x $&.*+[1] y")).toBe("x [credential a] y");
  });

  it("gives the text itself back where there is nothing to mask", () => {
    expect(createMask({})("x")).toBe("x");
  });
});
