// `npm test` and `npm run test:soak`: build, run the tests of every package, print the sum.
// Further arguments go to turbo: `npm test -- --filter=@toycoder/core --force`.
import { rmSync } from "node:fs";
import { reportFiles, summarize } from "./summary.mjs";
import { turbo } from "./turbo.mjs";

const [kind, ...args] = process.argv.slice(2);
if (kind !== "test" && kind !== "soak")
  throw new Error("usage: node scripts/test.mjs test|soak [turbo arguments]");

// A report that stays behind would be counted for a package whose tests never started; cached ones come back.
for (const file of reportFiles(kind)) rmSync(file);
const tasks = kind === "test" ? ["//#compile", "test", "//#test:scripts"] : ["test:soak"];
const code = turbo([
  "run",
  ...tasks,
  "--output-logs=errors-only",
  "--continue=dependencies-successful",
  ...args,
]);
if (code !== 0) console.log("\nA build or test task failed (see above).");
process.exitCode = summarize([kind]) || code;
