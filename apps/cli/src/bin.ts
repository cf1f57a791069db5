#!/usr/bin/env node
import module from "node:module";

// Only what Node 20 takes may stand here: an older Node must get as far as this line's answer.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major > 22 || (major === 22 && minor >= 18)) {
  module.enableCompileCache?.();
  const { main } = await import("./main.ts");
  process.exitCode = await main(process.argv.slice(2));
} else {
  console.error(`toycoder needs Node 22.18 or later; this is Node ${process.versions.node}`);
  process.exitCode = 2;
}
