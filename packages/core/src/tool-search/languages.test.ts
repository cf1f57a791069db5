import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createToolIndex } from "../tool-search.ts";
import type { SearchableTool } from "./tool-fields.ts";

const read = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../fixtures/tool-search/${file}`, import.meta.url), "utf8"));

const tools = read("tools.json") as SearchableTool[];
const requests = read("queries.json") as { query: string; tool: string }[];
const index = createToolIndex(tools);

const missed = (k: number): string[] =>
  requests
    .filter(({ query, tool }) => !index.search(query, { limit: k }).some((hit) => hit.tool.name === tool))
    .map(({ query, tool }) => `${query} → ${tool}`);

test("of 40 Chinese and Japanese requests at least 38 find their tool among the first five", () => {
  expect(requests).toHaveLength(40);
  const missedOnes = missed(5);
  expect(missedOnes.length > 2 ? missedOnes : []).toEqual([]);
});

test("at least 32 find it first", () => {
  const missedOnes = missed(1);
  expect(missedOnes.length > 8 ? missedOnes : []).toEqual([]);
});

test("no request is a copy of a tag", () => {
  const tags = new Set(tools.flatMap((tool) => tool.tags ?? []));
  expect(requests.filter(({ query }) => tags.has(query))).toEqual([]);
});

test("characters of Taiwan and Japan find what is tagged in simplified ones", () => {
  for (const request of ["讀取", "読取", "读取"]) {
    expect(index.search(request)[0]?.tool.name).toBe("read_file");
  }
});

test("Chinese and Japanese requests find tools that speak only English", () => {
  const english = createToolIndex([
    { name: "search_code", description: "Search source code." },
    { name: "delete_folder", description: "Delete a folder." },
    { name: "list_users", description: "List the users." },
  ]);
  expect(english.search("搜索代码")[0]?.tool.name).toBe("search_code");
  expect(english.search("フォルダを削除して")[0]?.tool.name).toBe("delete_folder");
  expect(english.search("列出所有用户")[0]?.tool.name).toBe("list_users");
});
