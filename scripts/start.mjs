import { turbo } from "./turbo.mjs";

const code = turbo(["run", "//#compile", "bundle", "--output-logs=errors-only"]);
if (code === 0) console.log("Built. There is nothing to run yet.");
process.exitCode = code;
