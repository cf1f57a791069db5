export { editFile, type EditFileOptions, type EditFileInput, makeEditFile } from "./edit-file.ts";
export { listDir, type ListDirInput } from "./list-dir.ts";
// oxlint-disable-next-line import/no-default-export -- a plugin package's default export is its factory
export { filesPlugin, filesPlugin as default, type FilesPluginOptions } from "./plugin.ts";
export { readFile, type ReadFileInput, type ReadFileOutput } from "./read-file.ts";
export { writeFile, type WriteFileInput } from "./write-file.ts";
