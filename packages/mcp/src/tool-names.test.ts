import { expect, test } from "vitest";
import { foldName, serverPrefixes, toolNames } from "./tool-names.ts";

const NAME = /^[a-z][a-z0-9_]{0,63}$/;
const free = (): boolean => false;

test.each([
  ["search", "s__search"],
  ["getIssueURL", "s__get_issue_url"],
  ["HTTPServer", "s__http_server"],
  ["list-all.things/v2", "s__list_all_things_v2"],
  ["2fa", "s__x2fa"],
  ["Get  Weather", "s__get_weather"],
])("%s becomes %s", (tool, name) => {
  expect(toolNames("s", [tool], free).get(tool)).toBe(name);
});

test.each(["搜索", "a☃b", "", "___", "x".repeat(300), "__proto__", "constructor"])(
  "%s gets a name that the registry takes",
  (tool) => {
    expect(toolNames("s", [tool], free).get(tool)).toMatch(NAME);
  },
);

test("names don't depend on the order of the list, nor on tools that are listed later", () => {
  const tools = ["getWeather", "get_weather", "get-weather", "GET.WEATHER", "搜索", "文件"];
  const names = toolNames("s", tools, free);
  expect(new Set([...names.values()].map(foldName)).size).toBe(tools.length);
  expect(names.get("get_weather")).toBe("s__get_weather");
  expect(toolNames("s", tools.toReversed(), free)).toEqual(names);
  const more = toolNames("s", [...tools, "zebra", "文"], free);
  for (const tool of tools) expect(more.get(tool)).toBe(names.get(tool));
});

test("a name that another has already gets a hash", () => {
  const taken = new Set([foldName("s__search")]);
  expect(toolNames("s", ["search"], (folded) => taken.has(folded)).get("search")).toMatch(
    /^s__search_[0-9a-f]{8}$/,
  );
});

test("prefixes of servers", () => {
  const prefixes = serverPrefixes(["GitHub", "my-server", "my_server", "服务器", "x".repeat(100), "9p"]);
  expect(prefixes.get("GitHub")).toBe("github");
  expect(prefixes.get("my_server")).toBe("my_server");
  expect(prefixes.get("my-server")).toMatch(/^my_server_[0-9a-f]{8}$/);
  expect(prefixes.get("9p")).toBe("x9p");
  for (const prefix of prefixes.values()) expect(prefix).toMatch(/^[a-z][a-z0-9_]{0,31}$/);
});
