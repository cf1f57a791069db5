import type { ApprovalRequest, EffectReport } from "@toycoder/core";
import { expect, it } from "vitest";
import { approvalText } from "./approval-text.ts";

const request = (input: unknown, effects: readonly Partial<EffectReport>[] = []): ApprovalRequest =>
  ({ tool: { name: "act" }, callId: "1", input, decision: { effects, reason: "why" }, always: [] }) as never;

it("has the call, its effects and the reason", () => {
  const effects = [
    { kind: "exec", argv: ["git", "push"], opaque: true },
    { kind: "read", path: "a.txt", implied: true },
    { kind: "net", host: "example.com" },
  ] as const;
  expect(approvalText(request({ command: "git push < a.txt", workdir: "sub" }, effects))).toBe(
    [
      "May act do this?",
      "git push < a.txt",
      '{\n  "workdir": "sub"\n}',
      "exec git push (not fully understood)",
      "read a.txt (perhaps)",
      "net example.com",
      "why",
    ].join("\n"),
  );
});

it("hides nothing: no control characters, and a cut is said", () => {
  const text = approvalText(request({ command: "ls\r\u001B[2K\u202Esl\nrm" }));
  expect(text).toContain("ls\u{FFFD}\u{FFFD}[2K\u{FFFD}sl\nrm\n");
  expect(approvalText(request({ content: "x".repeat(5000) }))).toMatch(
    /x\n\[\d+ more characters are not shown\]\nwhy$/,
  );
});
