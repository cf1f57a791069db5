import { definePlugin, type PluginFactory } from "@toycoder/core";
import { askUser } from "./ask-user.ts";

/** Brings `ask_user`. Takes no options. */
export const questionPlugin: PluginFactory<Record<string, never>> = definePlugin({
  name: "question",
  version: "0.0.0",
  api: 1,
  setup: () => ({ tools: [askUser] }),
});
