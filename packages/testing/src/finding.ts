/** Something about a tool or a plugin that its users would run into. */
export interface Finding {
  /** An error is certain, and fails a check; a warning may be meant so; a note is nothing that has to change. */
  severity: "error" | "warning" | "note";
  /** Machine-readable, in snake_case. */
  code: string;
  /** `tool read_file, input path`, `package.json, peerDependencies`. */
  place: string;
  message: string;
  /** What to do about it. */
  fix: string;
}

/** A finding as one line of text. */
export const findingText = ({ severity, code, place, message, fix }: Finding): string =>
  `${severity} ${code}: ${place}: ${message} (${fix})`;
