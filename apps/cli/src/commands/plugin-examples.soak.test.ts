import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { tempWorkspace } from "@toycoder/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CheckReport } from "../plugin-check/check-plugin.ts";
import { runToycoder } from "../test-support/run-toycoder.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const EMAIL = { host: "127.0.0.1", from: "ci@example.com", recipients: ["*@example.com"], dryRun: true };

/** The example plugins, by their tools, with options where they need some. */
const EXAMPLES: readonly [plugin: string, tool: string, options?: object][] = [
  ["weather", "get_weather"],
  ["calculator", "calculate"],
  ["email", "send_email", EMAIL],
  ["report", "generate_report"],
];

/** A project that has them installed, as npm would: built, with what is published alone. */
const project = tempWorkspace({
  "package.json": "{}",
  "toycoder.config.json": JSON.stringify({
    plugins: [
      "files",
      ["database", { connections: { shop: { type: "sqlite", path: "shop.db" } } }],
      ...EXAMPLES.map(([plugin, , options]) => (options === undefined ? plugin : [plugin, options])),
    ],
    permissions: { allow: ["generate_report", "write_file(reports/**)", "send_email"] },
  }),
});
afterAll(() => project.dispose());

beforeAll(() => {
  for (const [plugin] of EXAMPLES) {
    const source = path.join(ROOT, `examples/plugin-${plugin}`);
    const target = project.path(`node_modules/toycoder-plugin-${plugin}`);
    mkdirSync(target, { recursive: true });
    const to = [
      "--outDir",
      path.join(target, "dist"),
      "--tsBuildInfoFile",
      path.join(target, "dist/.tsbuildinfo"),
    ];
    execFileSync("tsc", ["-p", source, ...to], {
      stdio: "pipe",
      env: { PATH: `${ROOT}node_modules/.bin:${process.env["PATH"]}` },
    });
    for (const file of ["package.json", "README.md"])
      copyFileSync(path.join(source, file), path.join(target, file));
    symlinkSync(path.join(source, "node_modules"), path.join(target, "node_modules"));
  }
  mkdirSync(project.path("node_modules/@toycoder"));
  symlinkSync(
    path.join(ROOT, "packages/plugin-database"),
    project.path("node_modules/@toycoder/plugin-database"),
  );
  const database = new DatabaseSync(project.path("shop.db"));
  database.exec("create table orders (id integer); insert into orders values (1), (2)");
  database.close();
}, 300_000);

const run = (...args: string[]): ReturnType<typeof runToycoder> =>
  runToycoder(args, { cwd: project.root, input: "" });

test.each(EXAMPLES)(
  "%s passes the check of plugins, warnings included",
  async (plugin, tool, options = {}) => {
    const { code, stdout } = await run(
      "plugin",
      "check",
      plugin,
      "--json",
      "--strict",
      "--options",
      JSON.stringify(options),
    );
    const report = JSON.parse(stdout) as CheckReport;
    expect(report.findings.filter(({ severity }) => severity !== "note")).toEqual([]);
    expect(report.tools.map(({ name }) => name)).toEqual([tool]);
    expect(code).toBe(0);
  },
);

test("a config takes all of them by their short names", async () => {
  const { code, stdout } = await run("check");
  expect(stdout).not.toMatch(/✗/);
  expect(code).toBe(0);
  const { stdout: tools } = await run("tools", "list");
  for (const [, tool] of EXAMPLES) expect(tools).toContain(tool);
});

test("and the command calls them", async () => {
  const call = async (tool: string, args: object): Promise<string> =>
    (await run("tools", "call", tool, JSON.stringify(args))).stdout;
  expect(await call("calculate", { expression: "0.1 + 0.2" })).toBe("= 0.3\n");
  expect(await call("send_email", { to: ["ada@example.com"], subject: "Hello", text: "Hi" })).toContain(
    "Subject: Hello",
  );
  const sections = [{ heading: "Orders", sql: "select count(*) as n from orders" }];
  expect(await call("generate_report", { title: "Shop", sections, path: "reports/shop.md" })).toContain(
    "Wrote reports/shop.md",
  );
  expect(readFileSync(project.path("reports/shop.md"), "utf8")).toContain("| 2 |");
});
