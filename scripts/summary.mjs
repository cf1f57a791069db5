// Adds up the JSON reports of vitest: `node scripts/summary.mjs test soak`.
// The last line is always `N passed, N failed`, alone; `, N skipped` follows when there are skips.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("..", import.meta.url));

/** The report files of a kind of run ("test" or "soak") that exist. */
export function reportFiles(kind, root = repository) {
  const folders = [root];
  for (const group of ["packages", "apps", "examples"]) {
    if (!existsSync(join(root, group))) continue;
    for (const name of readdirSync(join(root, group))) folders.push(join(root, group, name));
  }
  return folders.map((folder) => join(folder, ".reports", `${kind}.json`)).filter((file) => existsSync(file));
}

/** Passed tests as a number; failed and skipped ones by name. */
export function readReports(kinds, root = repository) {
  const sum = { passed: 0, failed: [], skipped: [] };
  for (const file of kinds.flatMap((kind) => reportFiles(kind, root))) {
    const place = relative(root, dirname(dirname(file)));
    for (const suite of readReport(file, sum, place)) {
      const at = relative(root, suite.name);
      // A file that could not be loaded has failed, though it has no test to name.
      if (suite.status === "failed" && !suite.assertionResults.some((test) => test.status === "failed"))
        sum.failed.push(`${at}: ${String(suite.message).split("\n", 1)[0]}`);
      for (const test of suite.assertionResults) {
        const name = `${at} > ${[...test.ancestorTitles, test.title].join(" > ")}`;
        if (test.status === "passed") sum.passed += 1;
        else if (test.status === "failed") sum.failed.push(name);
        else sum.skipped.push(name);
      }
    }
  }
  return sum;
}

function readReport(file, sum, place) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).testResults;
  } catch (error) {
    sum.failed.push(`${place || "."}: unreadable report (${error.message})`);
    return [];
  }
}

/** Prints the summary; 1 when a test failed, none ran, or (CI_STRICT) one was skipped. */
export function summarize(kinds, root = repository) {
  const { passed, failed, skipped } = readReports(kinds, root);
  const list = (title, names) => names.length && console.log([`\n${title}:`, ...names].join("\n  "));
  list("Failed", failed);
  list("Skipped", skipped);
  const ran = passed + failed.length;
  const strict = Boolean(process.env.CI_STRICT) && skipped.length > 0;
  // There need not be soak tests, but a run of the tests without a single one is a mistake.
  const nothing = ran === 0 && kinds.includes("test");
  if (nothing) console.log("\nNo test ran: that counts as a failure.");
  if (strict) console.log("\nA skipped test counts as a failure here (CI_STRICT).");
  console.log(
    `\n${passed} passed, ${failed.length} failed${skipped.length ? `, ${skipped.length} skipped` : ""}`,
  );
  return failed.length > 0 || nothing || strict ? 1 : 0;
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.exitCode = summarize(process.argv.length > 2 ? process.argv.slice(2) : ["test"]);
}
