// `pnpm bench NAME [arguments]`: runs bench/NAME/bench.ts from the packages' sources.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

const here = new URL("./", import.meta.url);
const [name = "", ...args] = process.argv.slice(2);
const known = readdirSync(here).filter((entry) => existsSync(new URL(`${entry}/bench.ts`, here)));
if (!known.includes(name)) {
  console.error(`usage: pnpm bench NAME [arguments], with NAME one of: ${known.join(", ")}`);
  process.exit(2);
}
const file = fileURLToPath(new URL(`${name}/bench.ts`, here));
const { status } = spawnSync(process.execPath, ["--conditions=@toycoder/source", file, ...args], {
  stdio: "inherit",
});
process.exit(status ?? 1);
