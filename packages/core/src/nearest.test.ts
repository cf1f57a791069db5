import { describe, expect, it } from "vitest";
import { nearest } from "./nearest.ts";

describe("nearest", () => {
  it.each([
    ["read_fil", ["read_file", "write_file"], ["read_file"]],
    ["readFile", ["read_file"], ["read_file"]],
    ["raed_file", ["read_file"], ["read_file"]],
    ["search", ["grep_search", "glob_search", "x"], ["glob_search", "grep_search"]],
    ["b", ["a"], []],
    ["permissons", ["permissions", "plugins"], ["permissions"]],
    ["", ["read_file"], []],
    ["zzzzzz", ["read_file"], []],
  ])("%s among %j: %j", (word, candidates, expected) => {
    expect(nearest(word, candidates)).toEqual(expected);
  });
});
