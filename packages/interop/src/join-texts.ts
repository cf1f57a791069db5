import type { ContentPart } from "@toycoder/core";

/** The texts, each beginning a line of its own. */
export const joinTexts = (content: readonly ContentPart[]): string =>
  content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
