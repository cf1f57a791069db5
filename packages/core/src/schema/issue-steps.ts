import type { StandardSchemaV1 } from "@standard-schema/spec";

/** The keys that lead to an issue's place, as texts. */
export const issueSteps = ({ path = [] }: StandardSchemaV1.Issue): string[] =>
  path.map((step) => String(typeof step === "object" ? step.key : step));
