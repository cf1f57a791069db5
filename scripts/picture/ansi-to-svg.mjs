// A terminal's output as a picture.
import { wrapAnsi } from "fast-wrap-ansi";

const CELL = { width: 8.4, height: 19 };
const PADDING = 18;
const TITLE = 34;
const TEXT = "#d8dee9";
const BACKGROUND = "#161b22";
const COLOURS = new Map([
  [31, "#ff7b72"],
  [32, "#7ee787"],
  [33, "#f2cc60"],
  [34, "#79c0ff"],
  [35, "#d2a8ff"],
  [36, "#76e3ea"],
  [90, "#8b949e"],
]);
const FONT =
  "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace";

/**
 * An SVG of a text with the colours (31 to 36, 90), bold and dim of a terminal, wrapped at so many columns. It has a
 * background of its own, so it reads on a light page and on a dark one, and each run of characters a length of its own,
 * so that columns line up in any font.
 */
export function ansiToSvg(text, { columns, title }) {
  const lines = wrapAnsi(text.trimEnd(), columns, { trim: false, hard: true }).split("\n");
  const width = Math.ceil(columns * CELL.width + 2 * PADDING);
  const height = TITLE + lines.length * CELL.height + PADDING;
  const style = { colour: undefined, bold: false, dim: false };
  const rows = lines.map((line, row) => {
    const y = TITLE + (row + 0.8) * CELL.height;
    return spansOf(line, style)
      .map((span) => textElement(span, y))
      .join("");
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${Math.ceil(height)}" viewBox="0 0 ${width} ${Math.ceil(height)}" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title>
<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>
${["#ff5f57", "#febc2e", "#28c840"].map((fill, index) => `<circle cx="${20 + index * 18}" cy="17" r="5.5" fill="${fill}"/>`).join("")}
<g font-family="${FONT}" font-size="14" fill="${TEXT}">
${rows.filter((row) => row !== "").join("\n")}
</g>
</svg>
`;
}

/** The runs of one line that look alike: `{ column, text, colour, bold, dim }`; the style goes on in the next line. */
function spansOf(line, style) {
  const spans = [];
  let column = 0;
  for (const part of line.split(/(\u001b\[[\d;]*m)/)) {
    const codes = /^\u001b\[([\d;]*)m$/.exec(part)?.[1];
    if (codes !== undefined) for (const code of codes.split(";")) applyCode(Number(code), style);
    else if (part !== "") {
      if (part.trim() !== "") spans.push({ column, text: part, ...style });
      column += [...part].length;
    }
  }
  return spans;
}

function applyCode(code, style) {
  if (code === 0) Object.assign(style, { colour: undefined, bold: false, dim: false });
  else if (code === 1) style.bold = true;
  else if (code === 2) style.dim = true;
  else if (code === 22) Object.assign(style, { bold: false, dim: false });
  else if (code === 39) style.colour = undefined;
  else if (COLOURS.has(code)) style.colour = COLOURS.get(code);
  else throw new Error(`no picture of the code ${code}`);
}

function textElement({ column, text, colour, bold, dim }, y) {
  const start = text.length - text.trimStart().length;
  const shown = text.trim();
  const attributes = [
    `x="${round(PADDING + (column + start) * CELL.width)}" y="${round(y)}"`,
    `textLength="${round([...shown].length * CELL.width)}" lengthAdjust="spacingAndGlyphs"`,
    ...(colour === undefined ? [] : [`fill="${colour}"`]),
    ...(bold ? [`font-weight="bold"`] : []),
    ...(dim ? [`opacity="0.65"`] : []),
  ];
  // Ordinary spaces in a row would become one.
  return `<text ${attributes.join(" ")}>${escaped(shown).replaceAll("  ", "\u00a0 ")}</text>`;
}

const round = (value) => Number(value.toFixed(1));
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
