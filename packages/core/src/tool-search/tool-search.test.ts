import { describe, expect, test } from "vitest";
import { createToolIndex } from "../tool-search.ts";
import type { SearchableTool } from "./tool-fields.ts";

const tool = (name: string, description: string, more: Partial<SearchableTool> = {}): SearchableTool => ({
  name,
  description,
  ...more,
});

const tools = [
  tool("read_file", "Read a text file of the workspace.", { tags: ["读取文件"] }),
  tool("write_file", "Write a whole file.", { tags: ["写入文件"] }),
  tool("delete_file", "Delete a file.", { tags: ["파일 삭제"] }),
  tool("get_weather", "The forecast for a place.", {
    jsonSchema: {
      type: "object",
      properties: {
        city: { type: "string", description: "Name of the town" },
        unit: { enum: ["celsius", "fahrenheit"] },
        days: { type: "array", items: { type: "object", properties: { sunrise: { type: "boolean" } } } },
      },
    },
  }),
  tool("sendMail", "Hand a letter to the post office.", { tags: ["correspondence"] }),
  tool("base64_encode", "Encode bytes as text."),
];
const index = createToolIndex(tools);
const names = (request: string, limit?: number): string[] =>
  index.search(request, limit === undefined ? {} : { limit }).map((hit) => hit.tool.name);

describe("words", () => {
  test.each([
    ["snake_case of a name", "weather", "get_weather"],
    ["camelCase of a name", "mail", "sendMail"],
    ["camelCase of a request", "getWeather", "get_weather"],
    ["kebab-case of a request", "get-weather", "get_weather"],
    ["digits of a name", "base 64", "base64_encode"],
    ["a tag", "correspondence", "sendMail"],
    ["another form of the word", "deleting files", "delete_file"],
    ["a synonym", "erase this file", "delete_file"],
    ["a beginning", "fahren", "get_weather"],
    ["a typo", "wheather", "get_weather"],
    ["a parameter's name", "city", "get_weather"],
    ["a parameter's description", "town", "get_weather"],
    ["a listed value", "celsius", "get_weather"],
    ["a parameter of a parameter", "sunrise", "get_weather"],
    ["full-width letters", "ｗｅａｔｈｅｒ", "get_weather"],
    ["accents", "wéather", "get_weather"],
    ["Korean with an ending", "파일을 삭제해 줘", "delete_file"],
  ])("%s", (_, request, expected) => {
    expect(names(request)[0]).toBe(expected);
  });

  test("a tool that the whole request fits stands before one that a word of it fits", () => {
    expect(names("write a file").slice(0, 1)).toEqual(["write_file"]);
    expect(names("read the file").slice(0, 1)).toEqual(["read_file"]);
  });

  test("each sentence brings its tool to the front", () => {
    const request = "Read the file with the names of towns. Then get me the weather, and also send mail.";
    expect(names(request, 3).toSorted()).toEqual(["get_weather", "read_file", "sendMail"]);
  });

  test("a hit says by which words it was found", () => {
    const [hit] = index.search("Please delete the old files for me");
    expect(hit).toMatchObject({ tool: { name: "delete_file" }, matched: ["delete", "files"] });
    expect(index.search("读取文件")[0]?.matched).toEqual(["读取", "取文", "文件"]);
  });

  test("a common word counts for less than a rare one", () => {
    const many = ["a", "b", "c", "d"].map((letter) => tool(`file_${letter}`, "About a file."));
    const found = createToolIndex([...many, tool("zebra", "About an animal.")]).search("file zebra");
    expect(found[0]?.tool.name).toBe("zebra");
  });
});

describe("text", () => {
  test("a part of a name, tag or description is found, after what words find", () => {
    expect(names("ead_fi")).toEqual(["read_file"]);
    expect(names("espond")).toEqual(["sendMail"]);
    expect(names("ost offi")).toContain("sendMail");
    expect(names("eathe")[0]).toBe("get_weather");
    const scores = index.search("ile").map((hit) => hit.score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  test("an exact name comes first, whatever else fits better", () => {
    const found = createToolIndex([
      tool("send", "Hand over."),
      tool("send_send_send", "Send, send, send.", { tags: ["send"] }),
    ]).search("send");
    expect(found.map((hit) => hit.tool.name)).toEqual(["send", "send_send_send"]);
  });

  test("nothing is found for nothing, or for what no tool has", () => {
    for (const request of ["", "   ", "qqqq", "???"]) expect(names(request)).toEqual([]);
  });
});

describe("the list", () => {
  test("holds ten tools unless the limit says otherwise", () => {
    const many = createToolIndex(Array.from({ length: 30 }, (_, n) => tool(`report_${n}`, "A report.")));
    expect(many.search("report")).toHaveLength(10);
    expect(many.search("report", { limit: 25 })).toHaveLength(25);
    expect(many.search("report", { limit: 0 })).toEqual([]);
    expect(many.search("report", { limit: -1 })).toEqual([]);
    expect(many.search("report", { limit: Infinity })).toHaveLength(30);
  });

  test("breaks ties by name, in whatever order the tools were given", () => {
    const twins = ["beta", "alpha", "gamma"].map((name) => tool(name, "Sort a list."));
    expect(
      createToolIndex(twins)
        .search("sort")
        .map((hit) => hit.tool.name),
    ).toEqual(["alpha", "beta", "gamma"]);
  });

  test("leaves deprecated tools out unless asked for them", () => {
    const old = [tool("old_report", "A report.", { deprecated: { replacement: "report" } })];
    expect(createToolIndex(old).search("report")).toEqual([]);
    expect(createToolIndex(old, { includeDeprecated: true }).search("report")).toHaveLength(1);
    expect(createToolIndex([tool("x", "A report.", { deprecated: false })]).search("report")).toHaveLength(1);
  });

  test("is empty where there are no tools", () => {
    expect(createToolIndex([]).search("anything")).toEqual([]);
  });
});

describe("schemas", () => {
  const found = (jsonSchema: SearchableTool["jsonSchema"], request: string): number =>
    createToolIndex([tool("t", "A tool.", jsonSchema === undefined ? {} : { jsonSchema })]).search(request)
      .length;

  test("definitions, branches and circles are read", () => {
    const node = { type: "object", properties: { leaf: { $ref: "#/$defs/leaf" }, next: { $ref: "#" } } };
    const schema = { ...node, $defs: { leaf: { anyOf: [{ const: "maple" }, { description: "An oak." }] } } };
    expect(found(schema, "maple")).toBe(1);
    expect(found(schema, "oak")).toBe(1);
    const circle: Record<string, unknown> = { type: "object", properties: {} };
    circle.properties = { birch: circle };
    expect(found(circle, "birch")).toBe(1);
  });

  test("one that can't be made costs the tool its parameters only", () => {
    const broken: SearchableTool = {
      name: "broken",
      description: "A tool.",
      get jsonSchema(): never {
        throw new Error("not convertible");
      },
    };
    expect(createToolIndex([broken]).search("tool")).toHaveLength(1);
  });
});
