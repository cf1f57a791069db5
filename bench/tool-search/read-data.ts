import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { JsonSchema } from "@toycoder/core";

export interface BenchTool {
  readonly name: string;
  readonly description: string;
  readonly jsonSchema: JsonSchema;
}

export interface BenchRequest {
  readonly query: string;
  /** The names of all tools that the request needs. */
  readonly needs: readonly string[];
}

export interface BenchData {
  readonly tools: readonly BenchTool[];
  readonly requests: readonly BenchRequest[];
}

interface ToolRow {
  name: string;
  description: string;
  parameters: JsonSchema;
}

interface RequestRow {
  query: string;
  calls: { name: string }[];
}

/**
 * Reads tools.jsonl and queries.jsonl from the folder that BFCL_DIR names. They are made from the data of the Berkeley
 * Function Calling Leaderboard, version 4 (github.com/ShishirPatil/gorilla, Apache-2.0).
 */
export function readData(): BenchData {
  const folder = process.env["BFCL_DIR"];
  if (folder === undefined || folder === "") {
    throw new Error(
      "BFCL_DIR is not set: name the folder with tools.jsonl and queries.jsonl (bench/README.md)",
    );
  }
  return {
    tools: readLines<ToolRow>(join(folder, "tools.jsonl")).map(({ name, description, parameters }) => ({
      name,
      description,
      jsonSchema: parameters,
    })),
    requests: readLines<RequestRow>(join(folder, "queries.jsonl")).map(({ query, calls }) => ({
      query,
      needs: [...new Set(calls.map((call) => call.name))],
    })),
  };
}

const readLines = <Row>(file: string): Row[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Row);
