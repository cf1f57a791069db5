import { describePlugin, inspectTool } from "@toycoder/testing";
import { describe, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { generateReport } from "./generate-report.ts";
import { reportPlugin } from "./plugin.ts";

// describeTool calls a tool alone; this one needs others. Its calls are in generate-report.test.ts.
test("it says what it does, and declares what it may do", () => {
  expect(inspectTool(generateReport)).toEqual([]);
});

describePlugin(
  { plugin: reportPlugin, manifest, entry: import.meta.resolve("./index.ts") },
  { describe, test },
);
