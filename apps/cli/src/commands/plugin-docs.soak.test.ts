import { execFile } from "node:child_process";
import { globSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { tempWorkspace, type TempWorkspace } from "@toycoder/testing";
import { expect, test } from "vitest";
import { BIN } from "../test-support/run-toycoder.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const GUIDE = readFileSync(path.join(ROOT, "docs/writing-plugins.md"), "utf8");

interface Block {
  language: string;
  text: string;
}

/** The blocks of the tutorial, in order. */
const steps = (): Block[] => {
  const [, tutorial = ""] = /<!-- tutorial -->([\s\S]*)<!-- \/tutorial -->/.exec(GUIDE) ?? [];
  return [...tutorial.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
    language,
    text,
  }));
};

/** What `npm install` would bring, from this workspace. */
function install(folder: TempWorkspace, home: string): void {
  const links: Readonly<Record<string, string>> = {
    "@toycoder/core": "packages/core",
    "@toycoder/testing": "packages/testing",
    toycoder: "apps/cli",
    zod: "packages/core/node_modules/zod",
    "@types/node": "node_modules/@types/node",
    ".bin/tsc": "node_modules/.bin/tsc",
  };
  for (const [name, target] of Object.entries(links))
    link(path.join(ROOT, target), folder.path(path.join(home, "node_modules", name)));
  link(BIN, folder.path(path.join(home, "node_modules/.bin/toycoder")));
}

function link(target: string, place: string): void {
  mkdirSync(path.dirname(place), { recursive: true });
  symlinkSync(target, place);
}

test("the tutorial does what it says, step by step", { timeout: 120_000 }, async () => {
  using folder = tempWorkspace({ "package.json": "{}" });
  link(BIN, folder.path("node_modules/.bin/toycoder"));
  let home = ".";
  let said = "";
  let done = 0;
  for (const { language, text } of steps()) {
    if (language === "mts") {
      const [, file = ""] = /^\/\/ (\S+)\n/.exec(text) ?? [];
      expect(file).not.toBe("");
      folder.write(path.join(home, file), text.replace(/^.*\n/, ""));
    } else if (language === "sh") {
      said = "";
      for (const line of text.trim().split("\n")) {
        if (line.startsWith("cd ")) home = path.join(home, line.slice(3));
        else if (line === "npm install") install(folder, home);
        else said += await shell(line, folder.path(home), folder.root);
      }
    } else {
      // Every line of what is shown was printed.
      for (const line of text.trimEnd().split("\n")) expect(said).toContain(line.trim());
    }
    done++;
  }
  expect(done).toBeGreaterThan(10);
});

async function shell(line: string, cwd: string, home: string): Promise<string> {
  const { PATH } = process.env;
  const env = { PATH, HOME: home, TOYCODER_STATE_DIR: path.join(home, ".state"), npm_config_offline: "true" };
  const { stdout, stderr } = await run("sh", ["-c", line], { cwd, env }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${line}\n${error.stdout}${error.stderr}`);
    },
  );
  return stdout + stderr;
}

test("every finding that the guide names is one that the check has", () => {
  const sources = globSync(
    ["apps/cli/src/plugin-check/*.ts", "packages/testing/src/describe-{tool,plugin}/*.ts"],
    { cwd: ROOT },
  );
  const code = sources.map((source) => readFileSync(path.join(ROOT, source), "utf8")).join("\n");
  const [, table = ""] = /\| finds +\| as +\|([\s\S]*?)\n\n/.exec(GUIDE) ?? [];
  const told = [...table.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name ?? "");
  expect(told.length).toBeGreaterThan(50);
  expect(told.filter((name) => !code.includes(`"${name}"`))).toEqual([]);
});
