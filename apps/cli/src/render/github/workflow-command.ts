/**
 * A workflow command as a line, escaped as `@actions/core` does it (actions/toolkit, `packages/core/src/command.ts`).
 * See "Workflow commands for GitHub Actions" in GitHub's documentation. The runner reads them from stdout and stderr.
 */
export function workflowCommand(
  name: "group" | "endgroup" | "error" | "warning" | "notice",
  data = "",
  title?: string,
): string {
  return `::${name}${title === undefined ? "" : ` title=${escapeProperty(title)}`}::${escapeData(data)}\n`;
}

const escapeData = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
