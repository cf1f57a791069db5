import { definePlugin, type PluginFactory } from "@toycoder/core";
import { z } from "zod";
import { makeEditFile } from "./edit-file.ts";
import { listDir } from "./list-dir.ts";
import { readFile } from "./read-file.ts";
import { writeFile } from "./write-file.ts";

const options = z.strictObject({
  requireRead: z.boolean().default(false),
});

/** The options of the plugin. */
export interface FilesPluginOptions {
  /** edit_file refuses files that the session has not read. Default false. */
  requireRead?: boolean | undefined;
}

/** Brings read_file, write_file, edit_file and list_dir. */
export const filesPlugin: PluginFactory<FilesPluginOptions> = definePlugin({
  name: "files",
  version: "0.0.0",
  api: 1,
  options,
  setup: ({ requireRead }) => ({ tools: [readFile, writeFile, makeEditFile({ requireRead }), listDir] }),
});
