/** One answer of the server. */
export interface Answer {
  text?: string;
  calls?: readonly { name: string; arguments: Readonly<Record<string, unknown>> }[];
  /** An error instead. */
  failure?: { status: number; body: unknown };
}

/** A text in pieces of seven characters. */
export const pieces = (text: string): string[] => text.match(/.{1,7}/gsu) ?? [];
