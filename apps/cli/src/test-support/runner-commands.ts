/** A command that GitHub's runner finds in a line of a step's output. */
export interface FoundCommand {
  name: string;
  properties: Record<string, string>;
  data: string;
}

const NAMES: ReadonlySet<string> = new Set(
  (
    "add-mask add-matcher add-path debug echo endgroup error group notice remove-matcher save-state set-env set-output " +
    "stop-commands warning internal-set-repo-path"
  ).split(" "),
);

/**
 * The commands in a stream, found as the runner does (actions/runner, `ActionCommand.cs`: TryParseV2, then TryParse).
 * Lines end with LF, CR or both.
 */
export const commandsIn = (stream: string): FoundCommand[] =>
  stream.split(/\r\n|\r|\n/).flatMap((line) => newForm(line) ?? oldForm(line) ?? []);

function newForm(line: string): FoundCommand | undefined {
  const trimmed = line.replace(/^[\s\u0085]+/, "");
  const end = trimmed.startsWith("::") ? trimmed.indexOf("::", 2) : -1;
  return end === -1
    ? undefined
    : command(trimmed.slice(2, end), trimmed.slice(end + 2), ",", { "%3A": ":", "%2C": "," });
}

function oldForm(line: string): FoundCommand | undefined {
  const start = line.indexOf("##[");
  const end = start === -1 ? -1 : line.indexOf("]", start);
  return end === -1
    ? undefined
    : command(line.slice(start + 3, end), line.slice(end + 1), ";", { "%3B": ";", "%5D": "]" });
}

function command(
  info: string,
  data: string,
  separator: string,
  escapes: Record<string, string>,
): FoundCommand | undefined {
  const [name = "", ...rest] = info.split(" ");
  if (!NAMES.has(name.toLowerCase())) return undefined;
  const pairs = rest
    .join(" ")
    .split(separator)
    .map((pair) => /^([^=]+)=(.+)$/s.exec(pair.trim()));
  const properties = Object.fromEntries(
    pairs.flatMap((pair) => (pair === null ? [] : [[pair[1] ?? "", unescape(pair[2] ?? "", escapes)]])),
  );
  return { name, properties, data: unescape(data, {}) };
}

const unescape = (text: string, more: Record<string, string>): string =>
  Object.entries({ "%0D": "\r", "%0A": "\n", ...more, "%25": "%" }).reduce(
    (whole, [escape, char]) => whole.replaceAll(escape, char),
    text,
  );
