import type { Policy } from "@toycoder/core";

/** Characters of rules that a line names; the rest is left out, and said to be. */
const MAX_RULES = 400;

/** A policy in two lines for the model: what runs without asking, and what becomes of the rest. */
export function describePolicy(policy: Policy, attended: boolean): string {
  const { levels, allow, ask, deny, onAsk } = policy;
  const byLevel = (["sensitive", "dangerous"] as const).filter((level) => levels[level] === "allow");
  const allowed = ["reading in the folder", ...byLevel.map((level) => `level:${level}`), ...sources(allow)];
  const denied = deny.length === 0 ? "" : `Denied: ${listed(sources(deny))}. `;
  const asking = ask.length === 0 ? "" : ` (so is ${listed(sources(ask))})`;
  const rest = onAsk === "allow" ? "allowed" : attended ? "asked about" : "refused";
  return `Allowed: ${listed(allowed)}.\n${denied}Anything else that changes something is ${rest}${asking}.`;
}

const sources = (rules: readonly { source: string }[]): string[] => rules.map(({ source }) => source);

function listed(texts: readonly string[]): string {
  let line = "";
  for (const [index, text] of texts.entries()) {
    if (line.length + text.length > MAX_RULES) return `${line}, and ${texts.length - index} more`;
    line += index === 0 ? text : `, ${text}`;
  }
  return line;
}
