export { askUser, type AskUserInput } from "./ask-user.ts";
export { questionPlugin } from "./plugin.ts";
