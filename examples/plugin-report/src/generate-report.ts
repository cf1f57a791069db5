import { defineTool, type Tool } from "@toycoder/core";
import { z } from "zod";
import { csvTable } from "./csv-table.ts";
import { markdownTable } from "./markdown-table.ts";
import { queryRows, type Table } from "./query-rows.ts";
import { writeReport } from "./write-report.ts";

export interface Section {
  heading: string;
  text?: string | undefined;
  sql?: string | undefined;
  params: (string | number | boolean | null)[];
  connection?: string | undefined;
  limit?: number | undefined;
}

export interface GenerateReportInput {
  title: string;
  sections: Section[];
  format: "markdown" | "csv";
  path?: string | undefined;
}

export interface Report {
  content: string;
  /** The file that it was written to; null where none was asked for. */
  path: string | null;
  sections: { heading: string; rows: number }[];
  /** What a reader has to know: rows that were left out, tools that are deprecated. */
  notes: string[];
}

const section = z
  .object({
    heading: z.string().min(1).describe("One line"),
    text: z.string().optional().describe("Markdown before the table"),
    sql: z.string().min(1).optional().describe("A query whose rows become the table"),
    params: z
      .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .default([])
      .describe("Values for the query's placeholders, in order"),
    connection: z.string().optional().describe("As in query_database"),
    limit: z.number().int().min(1).optional().describe("Rows wanted"),
  })
  .refine(({ text, sql }) => text !== undefined || sql !== undefined, "a section needs text, sql or both");

/**
 * A report is queries and a file, and other tools do both: their rules, limits and approvals hold, whoever calls them.
 * It opens no database and writes no file itself.
 */
export const generateReport: Tool<GenerateReportInput, Report> = defineTool({
  name: "generate_report",
  description:
    "Generate a report with tables from database queries, and write it to a file of the workspace if a path is given; returns the report's text, or the path and how many rows each section has.",
  input: z
    .object({
      title: z.string().min(1).describe("One line"),
      sections: z.array(section).min(1).max(20).describe("In their order"),
      format: z
        .enum(["markdown", "csv"])
        .default("markdown")
        .describe("csv: the rows of one section's query alone"),
      path: z.string().min(1).optional().describe("The file to write, for instance reports/sales.md"),
    })
    .refine(
      ({ format, sections: [first, second] }) =>
        format === "markdown" || (first?.sql !== undefined && !second),
      {
        message: "csv takes one section, with sql",
        path: ["sections"],
      },
    ),
  permission: "sensitive",
  category: "data_query",
  version: "1.0.0",
  tags: ["report", "table", "csv", "markdown", "报告", "レポート"],
  dependencies: {
    query_database: "^1",
    // Only for a path: without it, a report is the result.
    write_file: { range: "^1", optional: true },
  },
  // What the queries read, query_database tells itself when it is called.
  effects: ({ path }) => (path === undefined ? [] : [{ kind: "write", path }]),
  execute: async ({ title, sections, format, path }, ctx) => {
    const tables: (Table | undefined)[] = [];
    for (const [at, one] of sections.entries()) {
      ctx.progress(`section ${at + 1} of ${sections.length}: ${one.heading}`);
      tables.push(one.sql === undefined ? undefined : await queryRows({ ...one, sql: one.sql }, ctx));
    }
    const [table] = tables;
    const content =
      format === "csv" && table !== undefined ? csvTable(table) : markdown(title, sections, tables);
    const notes = new Set(
      tables.flatMap((found, at) => (found?.notes ?? []).map((note) => `${sections[at]?.heading}: ${note}`)),
    );
    if (path !== undefined) for (const note of await writeReport(path, content, ctx)) notes.add(note);
    return {
      content,
      path: path ?? null,
      sections: sections.map(({ heading }, at) => ({ heading, rows: tables[at]?.rows.length ?? 0 })),
      notes: [...notes],
    };
  },
  toModel: ({ content, path, sections, notes }) => {
    const counts = sections.map(({ heading, rows }) => `${heading}: ${rows} rows`);
    const shown = path === null ? [content.trimEnd()] : [`Wrote ${path}`, ...counts];
    return [...shown, ...notes.map((note) => `Note: ${note}`)].join("\n");
  },
});

function markdown(
  title: string,
  sections: readonly Section[],
  tables: readonly (Table | undefined)[],
): string {
  const blocks = [`# ${oneLine(title)}`];
  for (const [at, { heading, text }] of sections.entries()) {
    const table = tables[at];
    blocks.push(`## ${oneLine(heading)}`);
    if (text !== undefined) blocks.push(text.trim());
    if (table !== undefined) blocks.push(table.rows.length === 0 ? "_No rows._" : markdownTable(table));
    for (const note of table?.truncated === true ? table.notes : []) blocks.push(`_${note}_`);
  }
  return `${blocks.join("\n\n")}\n`;
}

const oneLine = (text: string): string => text.trim().replaceAll(/\s+/g, " ");
