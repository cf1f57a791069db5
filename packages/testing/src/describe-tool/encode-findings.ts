import type { Tool } from "@toycoder/core";
import type { EncodedTools } from "@toycoder/core/wire";
import type { Finding } from "../finding.ts";

/** How one provider takes tools. */
export interface ToolEncoder {
  name: string;
  encode: (tools: readonly Tool[]) => EncodedTools<unknown>;
  /** What the provider's API would refuse in an encoded tool; {@link checkOpenAiTool} for one. */
  check?: (encoded: unknown) => string[];
}

/** What a provider is not told of a tool's input, as `path: keyword`. The real schema still enforces it. */
export const lossesOf = (tool: Tool, { encode }: ToolEncoder): string[] =>
  (encode([tool]).lost.get(tool.name) ?? []).map(({ path, keyword }) => `${path || "(root)"}: ${keyword}`);

/** What a provider refuses of a tool, and a note of what it can't be told. */
export function encodeFindings(tool: Tool, encoder: ToolEncoder): Finding[] {
  const { tools, skipped } = encoder.encode([tool]);
  const place = `tool ${tool.name}, on ${encoder.name}`;
  const findings: Finding[] = skipped.map(({ error }) => ({
    severity: "error",
    code: "not_encodable",
    place,
    message: error.message,
    fix: error.hint ?? "write the input in simpler words of JSON Schema",
  }));
  for (const problem of tools.flatMap((one) => encoder.check?.(one) ?? [])) {
    findings.push({
      severity: "error",
      code: "provider_refuses",
      place,
      message: problem,
      fix: "write the input in simpler words of JSON Schema",
    });
  }
  const losses = lossesOf(tool, encoder);
  if (losses.length > 0) {
    findings.push({
      severity: "note",
      code: "encoding_loses",
      place,
      message: `the model is not told of ${losses.join(", ")}`,
      fix: "it is still enforced; what the model should know can be said in the parameter's description",
    });
  }
  return findings;
}
