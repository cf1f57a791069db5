import { expect, test } from "vitest";
import { toolNames } from "./tool-names.ts";

const NAME = /^[a-z][a-z0-9_]{0,63}$/;

test("names become snake_case; what fits stays", () => {
  expect(
    Object.fromEntries(toolNames(["getWeather", "read_file", "HTTPGet", "db.query/users", "a-b", "x2Y"])),
  ).toEqual({
    getWeather: "get_weather",
    read_file: "read_file",
    HTTPGet: "http_get",
    "db.query/users": "db_query_users",
    "a-b": "a_b",
    x2Y: "x2_y",
  });
});

test("names that come to the same, are too long or lose characters are told apart, in any order", () => {
  const given = [
    "getIt",
    "get_it",
    "get-it",
    "搜索",
    "検索",
    "1st",
    "a".repeat(70),
    `${"a".repeat(70)}b`,
    "",
    "_",
  ];
  const names = toolNames(given);
  expect(names.get("get_it")).toBe("get_it");
  expect(names.get("1st")).toBe("x1st");
  const folded = [...names.values()].map((name) => name.replaceAll("_", ""));
  expect(new Set(folded).size).toBe(given.length);
  for (const name of names.values()) expect(name).toMatch(NAME);
  const other = toolNames(given.toReversed());
  for (const [theirs, ours] of names) expect(other.get(theirs)).toBe(ours);
});
