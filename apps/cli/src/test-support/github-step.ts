/** What a runner reads from the file that `GITHUB_OUTPUT` names ("Multiline strings"): name → value. */
export function outputsIn(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  let open: { name: string; delimiter: string; lines: string[] } | undefined;
  for (const line of text.split("\n")) {
    if (open === undefined) {
      const [, name, delimiter] = /^([^=]+?)<<(.+)$/.exec(line) ?? [];
      if (name !== undefined && delimiter !== undefined) open = { name, delimiter, lines: [] };
      else if (line !== "") outputs[line.split("=", 1)[0] ?? ""] = line.slice(line.indexOf("=") + 1);
    } else if (line === open.delimiter) {
      outputs[open.name] = open.lines.join("\n");
      open = undefined;
    } else open.lines.push(line);
  }
  if (open !== undefined) throw new Error(`the output ${open.name} has no end`);
  return outputs;
}
