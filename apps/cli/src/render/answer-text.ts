import { isScreen } from "./live-lines.ts";
import { type Paint, painter, paints } from "./paint.ts";
import { plainText } from "./plain-text.ts";
import { wrapLines } from "./text-width.ts";

/** How a model's answer is shown on a stream. */
export interface AnswerText {
  /** What to write for it. */
  format(text: string): string;
}

/**
 * An answer as it is, for whatever reads the stream; for a person at a terminal its Markdown is rendered, at the
 * width of the moment, and control characters are taken out.
 */
export function answerText(stream: NodeJS.WriteStream): AnswerText {
  // Loaded by the time that the first answer is there.
  let render: ((text: string, columns: number, paint: Paint) => string) | undefined;
  const paint = painter(stream);
  if (isScreen(stream) && paints(paint)) {
    void import("./markdown.ts").then((loaded) => (render = loaded.renderMarkdown));
  }
  return {
    format(text) {
      if (!stream.isTTY) return text.trimEnd();
      const columns = stream.columns || 80;
      const plain = plainText(text).trimEnd();
      return render?.(plain, columns, paint) ?? wrapLines(plain, columns);
    },
  };
}
