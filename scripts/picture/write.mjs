// `npm run picture`: makes docs/images/run.svg anew. Needs the built command.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { ansiToSvg } from "./ansi-to-svg.mjs";
import { recordRun } from "./record-run.mjs";

/** The picture of a run's output. */
export const pictureOf = (output) =>
  ansiToSvg(output, {
    columns: 108,
    title: "toycoder run fixes a failing test; a push is denied by the project's rules",
  });

if (process.argv[1] === import.meta.filename)
  writeFileSync(path.resolve(import.meta.dirname, "../../docs/images/run.svg"), pictureOf(recordRun()));
