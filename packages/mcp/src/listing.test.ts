import { expect, test } from "vitest";
import { faulty, openServers } from "./test-support/open-servers.ts";

test("each odd tool is judged by itself: loaded with a note, or left out with a reason", async () => {
  await using opened = await openServers({ odd: faulty(["--odd"]).config });
  const [report] = opened.servers.reports();
  expect(Object.fromEntries(report?.tools.map(({ tool, name }) => [tool.slice(0, 20), name]) ?? [])).toEqual({
    no_schema: "odd__no_schema",
    null_schema: "odd__null_schema",
    no_type: "odd__no_type",
    null_properties: "odd__null_properties",
    null_property: "odd__null_property",
    draft_four: "odd__draft_four",
    draft_seven: "odd__draft_seven",
    draft_2020: "odd__draft_2020",
    inline_flag: "odd__inline_flag",
    bad_output: "odd__bad_output",
    getWeather: expect.stringMatching(/^odd__get_weather_[0-9a-f]{8}$/) as string,
    "get.forecast/v2": "odd__get_forecast_v2",
    搜索: expect.stringMatching(/^odd__x_[0-9a-f]{8}$/) as string,
    xxxxxxxxxxxxxxxxxxxx: expect.stringMatching(/^odd__x{50}_[0-9a-f]{8}$/) as string,
    twice: "odd__twice",
    get_weather: "odd__get_weather",
    no_description: "odd__no_description",
  });
  expect(report?.leftOut.map(({ tool, reason }) => `${tool}: ${reason.slice(0, 64)}`)).toEqual([
    expect.stringMatching(/^external_ref: its inputSchema cannot be used/),
    "megabyte: its inputSchema has 1,048,647 characters, more than 200,000",
    expect.stringMatching(/^too_deep: its inputSchema cannot be used/),
    'array_schema: its inputSchema is of the type "array": arguments are an object',
    "schema_is_text: its inputSchema is no object",
    "twice: it is listed twice; the first one is taken",
    "#24: it has no name",
    "#25: it has no name",
    "#26: it is no object",
    "#27: it is no object",
  ]);
  const notes = Object.fromEntries(report?.tools.map(({ tool, notes }) => [tool, notes]) ?? []);
  expect(notes["no_schema"]).toEqual(["it has no inputSchema: it takes any object"]);
  expect(notes["null_property"]).toEqual(["its parameter a is null: any value is taken"]);
  expect(notes["bad_output"]?.[0]).toContain("its outputSchema cannot be used");
  expect(opened.registry.get("odd__inline_flag")?.jsonSchema.properties?.["a"]).toMatchObject({
    description: expect.stringContaining("(?i)^abc$") as string,
  });
});

test("2,000 tools on 20 pages", async () => {
  await using opened = await openServers({ many: faulty(["--many=2000", "--page=100"]).config });
  expect(opened.registry.list()).toHaveLength(2000);
});

test("pages that go round in a circle end", async () => {
  await using opened = await openServers({ many: faulty(["--many=6", "--page=2", "--circle"]).config });
  expect(opened.servers.reports()[0]).toMatchObject({
    state: "ready",
    notes: ["of its tools, the server's pages go round in a circle"],
  });
});

test("globs choose tools and levels; the last one that fits counts", async () => {
  const { config } = faulty([], {
    include: ["e*", "kill"],
    exclude: ["exit", "every_*"],
    permission: "dangerous",
    tools: { "e*": "safe", "el?cit": "sensitive" },
  });
  await using opened = await openServers({ faulty: config });
  expect(opened.registry.list().map(({ name, permission }) => `${name} ${permission}`)).toEqual([
    "faulty__echo safe",
    "faulty__elicit sensitive",
    "faulty__empty safe",
    "faulty__env safe",
    "faulty__error safe",
    "faulty__kill dangerous",
  ]);
  expect(opened.servers.reports()[0]?.leftOut).toContainEqual({ tool: "exit", reason: "in exclude" });
});

test("annotations count where the server is trusted, and only there", async () => {
  for (const [trustAnnotations, levels] of [
    [false, ["sensitive", "sensitive", "sensitive"]],
    [true, ["safe", "dangerous", "sensitive"]],
  ] as const) {
    await using opened = await openServers({ faulty: faulty([], { trustAnnotations }).config });
    const level = (name: string): string | undefined => opened.registry.get(`faulty__${name}`)?.permission;
    expect([level("echo"), level("kill"), level("exit")]).toEqual(levels);
  }
});

test("servers whose names come to one part are told apart, and a disabled one is not started", async () => {
  const off = faulty();
  await using opened = await openServers({
    "my-server": faulty([], { include: ["echo"] }).config,
    my_server: faulty([], { include: ["echo"] }).config,
    off: { ...off.config, disabled: true },
  });
  const [one, other] = opened.registry.list().map(({ name }) => name);
  expect(one).toBe("my_server__echo");
  expect(other).toMatch(/^my_server_[0-9a-f]{8}__echo$/);
  expect(opened.registry.origin(other ?? "")).toEqual({ mcp: "my-server/echo" });
  expect(off.notes()).toEqual([]);
  expect(opened.servers.reports()[2]).toMatchObject({ server: "off", state: "disabled" });
  expect(["off__x", "offx", "my_server__x"].map((name) => opened.servers.mayBring(name))).toEqual([
    true,
    false,
    false,
  ]);
});
