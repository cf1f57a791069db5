/** The texts of all tool results in a request's body, in order, whichever of the three APIs it is written for. */
export function resultsOf(body: string): string[] {
  const { messages, input } = JSON.parse(body) as { messages?: Entry[]; input?: Entry[] };
  const parts = (messages ?? input ?? []).flatMap((entry) =>
    Array.isArray(entry.content) ? [entry, ...entry.content] : [entry],
  );
  return parts.flatMap((part) => {
    if (part.type === "function_call_output") return [textOf(part.output)];
    return part.role === "tool" || part.type === "tool_result" ? [textOf(part.content)] : [];
  });
}

interface Entry {
  role?: string;
  type?: string;
  content?: Entry[] | string;
  output?: unknown;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value ?? ""));
