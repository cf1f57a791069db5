import type { PluginModule } from "@toycoder/config";

/** The built-in plugins, each loaded when a config has it. */
export const BUILTINS: Readonly<Record<string, () => Promise<PluginModule>>> = {
  files: () => import("@toycoder/plugin-files"),
  search: () => import("@toycoder/plugin-search"),
  shell: () => import("@toycoder/plugin-shell"),
  question: () => import("@toycoder/plugin-question"),
};

/** Tools that are always there or built in, and whose they are: other plugins need other names. */
export const BUILTIN_TOOLS: Readonly<Record<string, string>> = {
  read_file: "files",
  write_file: "files",
  edit_file: "files",
  list_dir: "files",
  glob_search: "search",
  grep_search: "search",
  run_command: "shell",
  ask_user: "question",
  task: "agent",
  tool_search: "agent",
};
