import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { findNode } from "./find-node.mjs";
import { splitArgs } from "./split-args.mjs";

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "toycoder-action-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const write = (name, content) => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), content, { mode: 0o755 });
};

test("arguments are split as a shell splits them, and nothing in them is run", () => {
  const lines = [
    String.raw`--allow 'run_command(npm test)' --allow "it's \"so\" \\ \n $"  a\ b ''  x"y"'z'`,
    "--a=b\n\t--c   '$HOME `x` $(y)'\n",
    "",
    "  ",
  ];
  for (const line of lines) {
    // A shell's own answer, without what it would put in.
    const script = `printf '%s\\0' ${line.replaceAll("\n", " ")}`;
    const words = execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
    expect(splitArgs(line)).toEqual(line.trim() === "" ? [] : words);
  }
  expect(splitArgs('"$HOME" $(x) `y`; z|w >f')).toEqual(["$HOME", "$(x)", "`y`;", "z|w", ">f"]);
  expect(() => splitArgs('a "b')).toThrow('args: a " is not closed');
  expect(() => splitArgs("a\\")).toThrow("args: a backslash stands at the end");
});

test("an old Node gives way to the newest in the runner's tool cache", () => {
  const { arch } = process;
  for (const version of ["20.20.0", "22.9.1", "22.18.0", "24.2.0", "9.0.0"])
    write(`cache/node/${version}/${arch}/bin/node`, "");
  const cached = { RUNNER_TOOL_CACHE: path.join(folder, "cache") };
  expect(findNode(cached, "22.18.0")).toBe(process.execPath);
  expect(findNode(cached, "22.17.9")).toBe(path.join(folder, `cache/node/24.2.0/${arch}/bin/node`));
  expect(() => findNode({ RUNNER_TOOL_CACHE: folder }, "20.1.0")).toThrow("put actions/setup-node before it");
  expect(() => findNode({}, "20.1.0")).toThrow("this is 20.1.0");
});

/** A registry on 127.0.0.1 with a `toycoder` that says what it was started with; an install script would tell. */
async function registry() {
  const scripts = { postinstall: `touch ${path.join(folder, "script-was-run")}` };
  const manifest = { name: "toycoder", version: "3.2.1", type: "module", bin: "dist/bin.js", scripts };
  write("package/package.json", JSON.stringify(manifest));
  write(
    "package/dist/bin.js",
    `import { readFileSync } from "node:fs";
const file = process.argv.find((arg) => arg.startsWith("--file=")).slice(7);
console.log(JSON.stringify({ args: process.argv.slice(2), task: readFileSync(file, "utf8"), env: process.env }));
process.exitCode = 7;`,
  );
  execFileSync("tar", ["-czf", "toycoder.tgz", "package"], { cwd: folder });
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    if (request.url.endsWith(".tgz")) return response.end(readFileSync(path.join(folder, "toycoder.tgz")));
    if (request.url !== "/toycoder") return response.writeHead(404).end("{}");
    const tarball = `http://127.0.0.1:${server.address().port}/toycoder.tgz`;
    const versions = { "3.2.1": { ...manifest, hasInstallScript: true, dist: { tarball } } };
    response.end(JSON.stringify({ name: "toycoder", "dist-tags": { latest: "3.2.1" }, versions }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, asked, url: `http://127.0.0.1:${server.address().port}/` };
}

test("the command comes from npm, by its version, wherever the workspace's .npmrc points", async () => {
  const { server, asked, url } = await registry();
  try {
    write("repo/.npmrc", "registry=http://127.0.0.1:9/\n");
    for (const name of ["output", "temp/.keep"]) write(name, "");
    const child = spawn(process.execPath, [path.join(import.meta.dirname, "run.mjs")], {
      cwd: path.join(folder, "repo"),
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
        HOME: folder,
        npm_config_registry: url,
        npm_config_cache: path.join(folder, "npm-cache"),
        GITHUB_WORKSPACE: path.join(folder, "repo"),
        GITHUB_OUTPUT: path.join(folder, "output"),
        GITHUB_ENV: path.join(folder, "env"),
        GITHUB_PATH: path.join(folder, "path"),
        RUNNER_TEMP: path.join(folder, "temp"),
        INPUT_TASK: "--help",
        INPUT_VERSION: "^3.0.0",
        INPUT_ARGS: "--max-cost 1",
        INPUT_CONFIG: "../base/c.json",
      },
    });
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "exit"),
    ]);
    expect({ code, stderr }).toMatchObject({ code: 7 });
    const { args, task, env } = JSON.parse(stdout);
    expect(task).toBe("--help");
    expect(args.slice(0, 2)).toEqual(["run", `--cwd=${folder}/repo`]);
    expect(args).toContain(`--config=${folder}/base/c.json`);
    expect(args.slice(-2)).toEqual(["--max-cost", "1"]);
    // What would let a command that the agent runs change the steps after it.
    expect(Object.keys(env).filter((name) => /^(INPUT_|GITHUB_(ENV|PATH)$)/.test(name))).toEqual([]);
    expect(asked).toEqual(["/toycoder", "/toycoder.tgz"]);
    expect(() => readFileSync(path.join(folder, "script-was-run"))).toThrow("ENOENT");
    const outputs = readFileSync(path.join(folder, "output"), "utf8");
    expect(outputs).toContain("exit-code=7\n");
    expect(outputs).toContain("status=none\n");
  } finally {
    server.closeAllConnections();
    server.close();
  }
}, 60_000);
