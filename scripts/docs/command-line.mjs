// The command lines of `toycoder` in a script or a text, held against the command's own tables.
import { forEachChild, parse } from "unbash";
import { parseFlags } from "../../apps/cli/src/flags.ts";

/** What is wrong with a shell script: its own syntax, and how it uses `toycoder`. Nothing is run. */
export async function scriptProblems(script) {
  const tree = parse(script);
  const problems = (tree.errors ?? []).map(({ message }) => message);
  for (const words of toycoderCommands(tree)) {
    const problem = await misuse(words);
    if (problem !== undefined) problems.push(`toycoder ${words.join(" ")}: ${problem}`);
  }
  return problems;
}

/** Each command that starts `toycoder`, as the words after it. */
function toycoderCommands(tree) {
  const commands = [];
  const walk = (node) => {
    if (node.type === "Command" && node.name !== undefined)
      commands.push([node.name, ...node.suffix].map(({ value }) => value ?? ""));
    forEachChild(node, walk);
  };
  walk(tree);
  return commands.map(wordsOf).filter((words) => words !== undefined);
}

function wordsOf([program, ...words]) {
  if (program === "npx") {
    const start = words.findIndex((word) => !word.startsWith("-"));
    return /^toycoder(?:@.*)?$/.test(words[start] ?? "") ? words.slice(start + 1) : undefined;
  }
  return /(?:^|\/)toycoder$/.test(program) ? words : undefined;
}

/** What the command itself would call wrong use; undefined where it is right. */
async function misuse([name, ...words]) {
  if (name === undefined || ["--help", "--version", "help"].includes(name)) return undefined;
  const command = await commandOf(name);
  if (command === undefined) return `there is no command ${name}`;
  try {
    const flags = parseFlags(words, { ...command.flags, help: { help: "", short: "h" } });
    const [first] = flags.words;
    const known = command.words?.length > 0 ? command.words : undefined;
    return first === undefined || known === undefined || known.includes(first) || /[$[]/.test(first)
      ? undefined
      : `${name} has no ${first}`;
  } catch (error) {
    return `${error.message}${error.hint === undefined ? "" : `; ${error.hint}`}`;
  }
}

async function commandOf(name) {
  if (!/^[a-z]+$/.test(name)) return undefined;
  const file = `../../apps/cli/src/commands/${name}.ts`;
  const module = await import(file).catch(() => undefined);
  const command = module?.[name];
  return typeof command === "function" ? command({}) : command;
}
