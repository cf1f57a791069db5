import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";

const TOOLS = {
  read_file: [["path"], read],
  write_file: [["path", "content"], ({ path, content }) => writeFile(path, content).then(() => "written")],
  edit_file: [["path", "old_string", "new_string"], edit],
  grep_search: [
    ["pattern"],
    async ({ pattern }) => run((await import("@vscode/ripgrep")).rgPath, ["-n", pattern, "./"]),
  ],
  run_command: [["command"], ({ command }) => run("bash", ["-c", command])],
};

export const DEFINITIONS = Object.entries(TOOLS).map(([name, [required]]) => ({
  type: "function",
  function: {
    name,
    description: `${name.replace("_", " ")} in the working folder`,
    parameters: {
      type: "object",
      properties: Object.fromEntries(required.map((key) => [key, { type: "string" }])),
      required,
    },
  },
}));

export const call = (name, args) => TOOLS[name][1](args).catch((error) => `error: ${error.message}`);

async function read({ path, offset = 1, limit = 200 }) {
  const lines = (await readFile(path, "utf8")).split("\n");
  return lines.slice(offset - 1, offset - 1 + limit).join("\n");
}

async function edit({ path, old_string, new_string }) {
  const parts = (await readFile(path, "utf8")).split(old_string);
  if (parts.length !== 2) throw new Error(`old_string is there ${parts.length - 1} times`);
  await writeFile(path, parts.join(new_string));
  return "edited";
}

async function run(program, args) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  return await text(child.stdout);
}
