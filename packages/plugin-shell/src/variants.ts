import path from "node:path";
import { readGit } from "./git-words.ts";
import type { ShellWords } from "./shell-word.ts";

/** Programs with options before the subcommand, and those of them that take a value. */
const GLOBAL_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ...["npm", "pnpm", "yarn", "bun"].map(
    (name) =>
      [
        name,
        /^(?:--(?:prefix|dir|cwd|workspace|filter|loglevel|registry|userconfig|cache)|-[CwF])$/,
      ] as const,
  ),
  ...["docker", "podman", "nerdctl"].map(
    (name) =>
      [name, /^(?:--(?:host|context|config|log-level|tls[a-z]+|connection|url|root)|-[Hcl])$/] as const,
  ),
  ...["kubectl", "helm", "oc", "kustomize"].map(
    (name) =>
      [
        name,
        /^(?:--(?:namespace|context|kube-?config|kube-context|cluster|user|server|token|as|as-group)|-[ns])$/,
      ] as const,
  ),
  ["gh", /^(?:--repo|-R)$/],
  ["cargo", /^(?:--(?:config|color)|-[ZC])$/],
  ["terraform", /^$/],
  ["aws", /^--(?:profile|region|output|endpoint-url)$/],
  ["gcloud", /^--(?:project|account|configuration)$/],
  ["az", /^$/],
  ["make", /^(?:-[CfIjlo]|--(?:directory|file))$/],
  ["go", /^-C$/],
  ["systemctl", /^(?:-[HMtp]|--(?:host|machine))$/],
  ["pip", /^$/],
  ["pip3", /^$/],
  ["composer", /^(?:-d|--working-dir)$/],
  ["mvn", /^-[fPs]$/],
  ["gradle", /^-[pb]$/],
  ["hg", /^(?:-R|--cwd|--config)$/],
  ["svn", /^--(?:username|password|config-dir)$/],
  ["apt", /^-[oc]$/],
  ["apt-get", /^-[oc]$/],
  ["brew", /^$/],
]);

/** Programs, some with their subcommand, that run the program that follows. */
const RUN_NEXT = new Set(
  (
    "npx,bunx,pnpx,uvx,cross-env,dotenv,npm exec,npm x,pnpm exec,pnpm dlx,yarn exec,yarn dlx,bun x,uv run,poetry run," +
    "pipenv run,bundle exec,rye run,hatch run,conda run,mise exec,volta run"
  ).split(","),
);

/**
 * Other ways to write a command, for rules that forbid: without the options before its subcommand, and what `npx` and
 * the like run. Where an option isn't known, what follows it may be its value or not.
 */
export function variantsOf(words: ShellWords): string[][] {
  const [first] = words;
  const argv = words.map((word) => word.value);
  const name = path.posix.basename(first.value);
  const variants: string[][] = [];
  if (name === "git") {
    const git = readGit(words);
    if (!git.plain) variants.push(git.words.map((word) => word.value));
  } else {
    const withValue = GLOBAL_OPTIONS.get(name);
    if (withValue !== undefined) variants.push(...withoutOptions(argv, withValue));
  }
  for (const one of [argv, ...variants]) {
    const runs = RUN_NEXT.has(name) ? 1 : RUN_NEXT.has(`${name} ${one[1]}`) ? 2 : 0;
    if (runs > 0)
      variants.push(...withoutOptions(["", ...one.slice(runs)], /^$/).map((more) => more.slice(1)));
    if (variants.length > 12) break;
  }
  return variants.filter((one) => one.length > 0 && one[0] !== "");
}

function withoutOptions([program = "", ...args]: readonly string[], withValue: RegExp): string[][] {
  const found = new Map<string, string[]>();
  const walk = (at: number, budget: number): void => {
    const value = args[at];
    if (budget === 0 || value === undefined) return;
    if (value.startsWith("-") || value.startsWith("+") || /^[A-Z_]+=/.test(value)) {
      if (!withValue.test(value)) walk(at + 1, budget - 1);
      if (value.startsWith("-") && !value.includes("=")) walk(at + 2, budget - 1);
    } else if (at > 0 || program === "") found.set(String(at), [program, ...args.slice(at)]);
  };
  walk(0, 6);
  return [...found.values()];
}
