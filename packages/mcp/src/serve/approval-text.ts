import type { ApprovalRequest, EffectReport } from "@toycoder/core";
import { isRecord } from "@toycoder/core/wire";

const MAX_ARGUMENTS = 4000;

/** The question of an approval: the call, what it would do, and why it is asked. */
export function approvalText({ tool, input, decision }: ApprovalRequest): string {
  const lines = [
    `May ${tool.name} do this?`,
    argumentsText(input),
    ...decision.effects.map(effectText),
    decision.reason,
  ];
  return plainText(lines.join("\n"));
}

/** A command as it is, and beside it all the rest. */
function argumentsText(input: unknown): string {
  const { command, ...rest } = isRecord(input) ? input : { input };
  const json = (value: unknown): string => JSON.stringify(value, null, 2);
  const text = typeof command === "string" ? `${command}\n${json(rest)}` : json(input);
  if (text.length <= MAX_ARGUMENTS) return text;
  return `${text.slice(0, MAX_ARGUMENTS)}\n[${text.length - MAX_ARGUMENTS} more characters are not shown]`;
}

function effectText({ kind, path, argv, host, implied, opaque }: EffectReport): string {
  const what = path ?? host ?? argv?.join(" ") ?? "";
  return `${kind} ${what}${implied ? " (perhaps)" : ""}${opaque ? " (not fully understood)" : ""}`;
}

/** Without what could hide or turn round a part of the text. */
export const plainText = (text: string): string =>
  text.replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\u{FFFD}");
