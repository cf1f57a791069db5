import { splitWords } from "./split-words.ts";
import { STOP_WORDS } from "./stop-words.ts";

/** The words of a text that can tell tools apart. */
export const contentWords = (text: string): string[] =>
  splitWords(text).filter((word) => !STOP_WORDS.has(word));
