import { describe, expect, test } from "vitest";
import { compileGlob, nameGlob, splitGlobs } from "./glob-pattern.ts";

const matches = (pattern: string, path: string, dot = false): boolean => compileGlob(pattern, { dot })(path);

describe("compileGlob", () => {
  test.each([
    ["*.ts", "a.ts", "x/y/a.ts"],
    ["./*.ts", "a.ts"],
    ["/src/*.ts", "src/a.ts"],
    ["src/*.ts", "src/a.ts"],
    ["src/**", "src/a", "src/a/b"],
    ["src/**/*.ts", "src/a.ts", "src/x/y/a.ts"],
    ["**/a", "a", "x/a", "x/y/a"],
    ["**", "a", "x/y"],
    ["src/", "src/a", "src/x/a"],
    ["a?c", "abc", "a漢c", "a😀c"],
    ["[a-c]x", "ax", "cx"],
    ["[!a]x", "bx"],
    ["*.{ts,tsx}", "a.ts", "a.tsx"],
    ["{src,lib}/**/*.{c,h{,pp}}", "src/a.c", "lib/x/a.hpp", "lib/a.h"],
    ["app/[id].tsx", "app/[id].tsx", "app/i.tsx"],
    ["app/[[...slug]]/page.tsx", "app/[[...slug]]/page.tsx"],
    ["(group)/*.tsx", "(group)/a.tsx"],
    ["a\\*b", "a*b"],
    ["{unclosed", "{unclosed"],
    ["[", "["],
    ["a+b$^|.txt", "a+b$^|.txt"],
    [".github/*.yml", ".github/ci.yml"],
    ["**/.env*", ".env", "x/.env.local"],
    ["new\nline", "new\nline"],
  ])("%j matches %j", (pattern, ...paths) => {
    for (const path of paths) expect([path, matches(pattern, path)]).toEqual([path, true]);
  });

  test.each([
    ["./*.ts", "x/a.ts"],
    ["src/*.ts", "src/x/a.ts", "x/src/a.ts", "srcs/a.ts"],
    ["src/**", "src", "srcs/a"],
    ["a?c", "a/c", "ac"],
    ["[!a]x", "ax", "/x"],
    ["a\\*b", "axb"],
    ["*.ts", "a.tsx", ".ts", "x/.ts"],
    ["**/*.yml", ".github/ci.yml", "a/.b.yml"],
    ["*", ".env"],
    ["{*,x}", ".env"],
    ["?env", ".env"],
  ])("%j does not match %j", (pattern, ...paths) => {
    for (const path of paths) expect([path, matches(pattern, path)]).toEqual([path, false]);
  });

  test("dot lets wildcards match dotfiles", () => {
    expect(matches("**/*.yml", ".github/.ci.yml", true)).toBe(true);
    expect(matches("*", ".env", true)).toBe(true);
  });
});

test("splitGlobs parts at commas outside of braces and brackets", () => {
  expect(splitGlobs("*.{ts,tsx}, !*.test.ts,[a,b]*,")).toEqual(["*.{ts,tsx}", "!*.test.ts", "[a,b]*"]);
});

test("nameGlob gives what ripgrep reads in the same way, or nothing", () => {
  expect(["src/**/*.ts", "*.{a,b}", "x/Makefile"].map(nameGlob)).toEqual(["*.ts", "*.{a,b}", "Makefile"]);
  for (const pattern of [
    "src/**",
    "**/*",
    "[id].ts",
    "a{b/c,d}",
    "a\\*",
    "x/",
    "{a,{b,c}}",
    "a{,b}",
    "a:b",
  ]) {
    expect([pattern, nameGlob(pattern)]).toEqual([pattern, undefined]);
  }
});
