import { textOf, type Tool } from "@toycoder/core";
import { writeFile } from "@toycoder/plugin-files";
import { type TempWorkspace, toolBench, type ToolBench, type ToolBenchOptions } from "@toycoder/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { generateReport } from "./generate-report.ts";
import { queryDatabase, shopWorkspace } from "./test-support/shop.ts";

let workspace: TempWorkspace;
let query: Tool;
beforeAll(async () => {
  workspace = shopWorkspace();
  query = await queryDatabase(workspace.root);
});
afterAll(() => workspace.dispose());

const bench = (options: Partial<ToolBenchOptions> = {}): ToolBench =>
  toolBench([query, generateReport, writeFile], { root: workspace.root, ...options });

const BY_CUSTOMER = {
  heading: "By customer",
  sql: "select customer, sum(total) as total from orders where total > ? group by customer order by customer",
  params: [1],
};

test("a report with tables, as the result", async () => {
  const result = await bench().call("generate_report", {
    title: "Sales\nof May",
    sections: [
      { heading: "Summary", text: "All is **well**.\n" },
      { ...BY_CUSTOMER, text: "In euros:" },
      { heading: "None", sql: "select * from orders where id > 99" },
    ],
  });
  expect(textOf(result.content)).toBe(
    `# Sales of May

## Summary

All is **well**.

## By customer

In euros:

| customer | total |
| --- | ---: |
| Ada | 42.75 |
| Bob | 7 |

## None

_No rows._`,
  );
});

test("with a path it is a file, which the session knows as a change", async () => {
  const { call, changes } = bench();
  const result = await call("generate_report", {
    title: "Sales",
    sections: [BY_CUSTOMER],
    path: "reports/may.md",
  });
  expect(textOf(result.content)).toBe("Wrote reports/may.md\nBy customer: 2 rows");
  expect(workspace.read("reports/may.md")).toMatch(/^# Sales\n\n## By customer\n\n\| customer/);
  expect(changes.map(({ path }) => path.display)).toEqual(["reports/may.md"]);
});

test("csv", async () => {
  await bench().call("generate_report", {
    title: "Orders",
    sections: [{ heading: "All", sql: "select customer, total, comment, scan from orders" }],
    format: "csv",
    path: "orders.csv",
  });
  expect(workspace.read("orders.csv")).toBe(
    'customer,total,comment,scan\r\nAda,12.5,"two|pipes <b>and</b>\nlines",\r\nBob,7,\'=1+1,(3 bytes)\r\nAda,30.25,,\r\n',
  );
});

test("nothing in a cell becomes markup", async () => {
  const sections = [{ heading: "A", sql: "select comment, comment from orders where id = 1" }];
  const said = textOf((await bench().call("generate_report", { title: "T", sections })).content);
  expect(said).toContain(String.raw`| two\|pipes \<b\>and\</b\><br>lines | two\|pipes`);
});

test("rows that were left out are told, in the report as well", async () => {
  const sections = [{ heading: "All", sql: "select id from orders", limit: 2 }];
  const result = await bench().call("generate_report", { title: "T", sections });
  const said = textOf(result.content);
  expect(said).toMatch(/\| 2 \|\n\n_[^_]+_\nNote: All: /);
  expect(said).not.toContain("| 3 |");
});

test("a failing query fails the report, with its section, and no file is written", async () => {
  const sections = [BY_CUSTOMER, { heading: "Broken", sql: "select a from nowhere" }];
  const { call, changes } = bench();
  const result = await call("generate_report", { title: "T", sections, path: "broken.md" });
  expect(textOf(result.content)).toMatch(/section "Broken": .*nowhere/);
  expect(changes).toEqual([]);
  expect(
    await call("generate_report", { title: "T", sections: [{ heading: "Drop", sql: "drop table orders" }] }),
  ).toMatchObject({
    ok: false,
  });
  expect(await call("query_database", { sql: "select count(*) from orders" })).toMatchObject({
    output: { rows: [[3]] },
  });
});

test("permissions hold twice: for the report, and for each tool that it calls", async () => {
  const report = { title: "T", sections: [BY_CUSTOMER], path: "private/t.md" };
  const call = async (allow: string[], deny: string[] = []) =>
    textOf((await bench({ policy: { allow, deny } }).call("generate_report", report)).content);
  expect(await call([])).toContain("Error (approval_required)");
  expect(await call(["generate_report"])).toMatch(
    /Error \(approval_required\): the report was made, but write_file did not write it: [^]*"write_file\(private\/t\.md\)"/,
  );
  expect(await call(["generate_report", "write_file"], ["query_database"])).toContain(
    'Error (permission_denied): section "By customer"',
  );
  expect(await call(["generate_report", "write_file"], ["write:private/**"])).toContain(
    "Error (permission_denied)",
  );
  expect(await call(["generate_report", "write_file(private/**)"])).toContain("Wrote private/t.md");
});

test("a forbidden file is refused before anything is queried", async () => {
  const { call, events } = bench({ policy: { allow: ["generate_report"], deny: ["write:private/**"] } });
  await call("generate_report", { title: "T", sections: [BY_CUSTOMER], path: "private/t.md" });
  expect(events.flatMap((event) => (event.type === "decision" ? event.tool : []))).toEqual([
    "generate_report",
  ]);
});

test.each([
  [{ title: "T", sections: [] }, "sections"],
  [{ title: "T", sections: [{ heading: "A" }] }, "a section needs text, sql or both"],
  [{ title: "T", sections: [{ heading: "A", text: "x" }], format: "csv" }, "csv takes one section, with sql"],
  [{ title: "T", sections: [BY_CUSTOMER, BY_CUSTOMER], format: "csv" }, "csv takes one section, with sql"],
  [{ title: "T", sections: [{ heading: "A", query: "select 1" }] }, "sections[0].query: unknown key"],
])("refused: %j", async (args, says) => {
  const result = await bench().call("generate_report", args);
  expect(result).toMatchObject({ ok: false, error: { code: "invalid_arguments" } });
  expect(textOf(result.content)).toContain(says);
});
