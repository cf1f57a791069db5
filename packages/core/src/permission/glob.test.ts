import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compilePath,
  compileSegment,
  escapePattern,
  literalSegments,
  matchPath,
  PatternError,
} from "./glob.ts";

const segments = (path: string): string[] => path.split("/").filter((part) => part !== "");

describe("compileSegment", () => {
  it.each([
    ["*.ts", "a.ts", true],
    ["*.ts", "a.tsx", false],
    [".env*", ".env.local", true],
    ["a?c", "abc", true],
    ["a?c", "ac", false],
    ["[a-c]x", "bx", true],
    ["[!a-c]x", "bx", false],
    ["[!a-c]x", "dx", true],
    ["[]]x", "]x", true],
    ["{a,b}.js", "b.js", true],
    ["{a,b}.js", "c.js", false],
    ["{a,{b,c}}d", "cd", true],
    [String.raw`\*`, "*", true],
    [String.raw`\*`, "x", false],
    ["a-b", "a-b", true],
    ["a*-b", "axx-b", true],
    [String.raw`[a\-c]`, "b", false],
    [String.raw`[a\-c]`, "-", true],
    ["a.c", "abc", false],
    ["a+b", "a+b", true],
    ["toString", "toString", true],
    ["?", "😀", true],
  ])("%s against %s: %s", (pattern, value, expected) => {
    expect(compileSegment(pattern).test(value)).toBe(expected);
  });

  it.each([
    ["[abc", 0],
    ["a{b", 1],
    ["ab\\", 2],
    ["[z-a]", 0],
  ])("refuses %s at column %i", (pattern, at) => {
    expect(() => compileSegment(pattern)).toThrow(PatternError);
    try {
      compileSegment(pattern);
    } catch (error) {
      expect((error as PatternError).at).toBe(at);
    }
  });

  it("matches exactly what escapePattern was given", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (value, other) => {
        const pattern = compileSegment(escapePattern(value));
        expect(pattern.test(value)).toBe(true);
        expect(pattern.test(other)).toBe(other === value);
      }),
      { seed: 7 },
    );
  });
});

describe("matchPath", () => {
  it.each([
    ["/w/src/**", "/w/src/a/b.ts", "exact"],
    ["/w/src/**", "/w/src", "exact"],
    ["/w/src/**", "/w", "beneath"],
    ["/w/src/**", "/w/srcx/a", undefined],
    ["/w/src/*.ts", "/w/src/a/b.ts", undefined],
    ["/w/src/*.ts", "/w/src/b.ts", "exact"],
    ["/w/secrets", "/w/secrets/key", "ancestor"],
    ["/w/.git/", "/w/.git", "exact"],
    ["/w/.git/", "/w/.git/hooks/x", "exact"],
    ["/w/.git/", "/w/.gitignore", undefined],
    ["**/.env*", "/w/a/b/.env.local", "exact"],
    ["**/.env*", "/w/a", "beneath"],
    ["**/.env.d", "/w/.env.d/x", "ancestor"],
    ["/w/a/**/z", "/w/a/z", "exact"],
    ["/w/a/**/z", "/w/a/b/c/z", "exact"],
    ["/w/a/../b", "/w/b", "exact"],
    ["/w/{a,b}/c", "/w/b/c", "exact"],
    ["/w/{a/x,b}", "/w/b", "exact"],
  ])("%s against %s: %s", (pattern, path, expected) => {
    expect(matchPath(compilePath(pattern), segments(path))).toBe(expected);
  });

  it("reads no pattern in the base", () => {
    const pattern = compilePath("*.ts", { base: literalSegments("/w/[id]") });
    expect(matchPath(pattern, ["w", "[id]", "a.ts"])).toBe("exact");
    expect(matchPath(pattern, ["w", "i", "a.ts"])).toBeUndefined();
    expect(pattern.place).toBe("/w/[id]");
  });

  it("takes case for nothing where the file system does", () => {
    const pattern = compilePath("**/.env*", { ignoreCase: true });
    expect(matchPath(pattern, ["w", ".ENV.local"])).toBe("exact");
    expect(matchPath(compilePath("**/.env*"), ["w", ".ENV.local"])).not.toBe("exact");
  });
});
