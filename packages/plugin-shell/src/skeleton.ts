import type { HereDoc, ParsedScript, SyntaxNode } from "unbash";

/** What stands for a part of a command in its skeleton. */
const LETTERS: Readonly<Partial<Record<SyntaxNode["type"], string>>> = {
  ...Object.fromEntries(["Word", "Assignment"].map((type) => [type, "W"])),
  ...Object.fromEntries(["Redirect", "HereDoc", "HereString"].map((type) => [type, "R"])),
  ...Object.fromEntries(
    "Command Pipeline AndOr If For ArithmeticFor Select While Subshell BraceGroup Case TestCommand ArithmeticCommand Redirected Function Coproc"
      .split(" ")
      .map((type) => [type, "C"]),
  ),
  ...Object.fromEntries(
    "TestUnary TestBinary TestLogical TestNot TestGroup".split(" ").map((type) => [type, "T"]),
  ),
  CompoundList: "L",
  CaseItem: "I",
  Elif: "E",
  Time: "P",
  Negation: "P",
};

const END = String.raw`[ \n]*;?[ \n]*`;
const whole = (source: string): RegExp => new RegExp(`^(?:${source})$`);
const DO = String.raw`(?:do${END}L${END}done|\{${END}L${END}\})`;
const LIST = whole(String.raw`[ \n]*(?:(?:S *[;\n]|B)[ \n]*)*(?:S *)?`);
const LOOP = String.raw`W(?:[ \n]+in(?: +W)*)? *[;\n]?[ \n]*${DO}`;

/** What may stand between the parts of each kind of command. A `;` is missing where `&` ends a list. */
const SKELETONS: ReadonlyMap<string, RegExp> = new Map([
  ["Script", LIST],
  ["CompoundList", LIST],
  ["Statement", /^C(?: *&)?$/],
  ["AndOr", /^C(?: *(?:&&|\|\|)[ \n]*C)+$/],
  ["Pipeline", /^(?:P(?: +|$))*(?:C(?: *\|&?[ \n]*C)*)?$/],
  ["Time", /^time(?: +-p)?(?: +--)?$/],
  ["Negation", /^!$/],
  ["Subshell", whole(String.raw`\(${END}L${END}\)`)],
  ["BraceGroup", whole(String.raw`\{${END}L${END}\}`)],
  ["If", whole(`if${END}L${END}then${END}L${END}(?:E${END})*(?:else${END}L${END})?fi`)],
  ["Elif", whole(`elif${END}L${END}then${END}L`)],
  ["For", whole(`for +${LOOP}`)],
  ["Select", whole(`select +${LOOP}`)],
  ["While", whole(`(?:while|until)${END}L${END}do${END}L${END}done`)],
  ["Case", /^case +W[ \n]+in[ \n]*(?:I[ \n]*)*esac$/],
  ["CaseItem", whole(String.raw`(?:\( *)?W(?: *\| *W)* *\)[ \n]*(?:L${END})?(?:;;|;&|;;&)?`)],
  ["Function", /^(?:function +)?W *(?:\( *\))?[ \n]*C$/],
  ["Coproc", /^coproc +(?:W +)?C$/],
  ["Redirected", /^C(?: *R)+$/],
  ["Command", /^(?:[WR](?: +|(?=R)|$))+$/],
  ["TestCommand", /^\[\[ +T +\]\]$/],
  ["TestUnary", /^(?:-[A-Za-z] +)?W$/],
  ["TestBinary", /^W +(?:-[a-z]{2}|[=!]=|=~?|<|>) +W$/],
  ["TestLogical", /^T(?:[ \n]*(?:&&|\|\|)[ \n]*T)+$/],
  ["TestNot", /^(?:P +)+T$/],
  ["TestGroup", /^\( *T *\)$/],
]);

/** Their inside is looked at where they are judged. */
const LEAVES = new Set<string>(["Word", "Assignment", "ArithmeticCommand", "HereDoc", "HereString"]);

/**
 * Beside the parser, and without its lexer: whether everything that a text holds is a part of the tree, or what has to
 * stand between these parts. Gives the kind of command at the first place where it isn't so.
 */
export function uncovered(
  script: ParsedScript,
  text: string,
  forEachChild: (node: SyntaxNode, callback: (child: SyntaxNode) => void) => void,
): string | undefined {
  const childrenOf = (node: SyntaxNode): SyntaxNode[] => {
    const children: SyntaxNode[] = [];
    forEachChild(node, (child) => void children.push(child));
    return children;
  };
  const masked = maskHereDocuments(script, text, childrenOf);
  if (masked === undefined) return "HereDoc";

  const check = (node: SyntaxNode, depth: number): string | undefined => {
    if (/^(?:FileDescriptor|Arithmetic(?!For|Command))/.test(node.type)) return undefined;
    if (depth > 100) return node.type;
    if (LEAVES.has(node.type)) return matchesLeaf(node, text) ? undefined : node.type;
    const children = childrenOf(node);
    if (!matchesSkeleton(node, children, masked)) return node.type;
    for (const child of children) {
      const place = check(child, depth + 1);
      if (place !== undefined) return place;
    }
    return undefined;
  };
  return check(script, 0);
}

function matchesLeaf(node: SyntaxNode, text: string): boolean {
  if (node.type === "HereDoc" || node.type === "HereString") {
    const { descriptor, operator } = node;
    const target = node.type === "HereDoc" ? node.delimiter : node.target;
    if (target === undefined || descriptor?.type === "FileDescriptorVariable") return false;
    const before = text.slice(node.pos, target.pos);
    return (
      before.replace(/^\d+/, "").trimEnd() === operator && target.text === text.slice(target.pos, node.end)
    );
  }
  return !("text" in node) || node.text === text.slice(node.pos, node.end);
}

function matchesSkeleton(node: SyntaxNode, children: readonly SyntaxNode[], text: string): boolean {
  const skeleton = skeletonOf(node, children, text);
  if (skeleton === undefined) return false;
  switch (node.type) {
    case "Redirect": {
      const descriptor =
        node.descriptor === undefined ? "" : text.slice(node.descriptor.pos, node.descriptor.end);
      if (!/^(?:\d+|\{[A-Za-z_]\w*\})?$/.test(descriptor)) return false;
      return skeleton.replace(/ +(?=W$)/, "") === `${descriptor}${node.operator}W`;
    }
    case "ArithmeticFor":
      return whole(String.raw`for +\(\([^]*?\)\) *[;\n]?[ \n]*${DO}`).test(skeleton);
    case "AndOr":
    case "Pipeline":
      if (skeleton.replaceAll(/[^&|]+/g, " ").trim() !== node.operators.join(" ")) return false;
      break;
    case "Statement":
      if (skeleton.endsWith("&") !== (node.background === true)) return false;
      break;
    default:
  }
  return SKELETONS.get(node.type)?.test(skeleton) === true;
}

/** The text of a node with a letter for each part, and without comments. */
function skeletonOf(node: SyntaxNode, children: readonly SyntaxNode[], text: string): string | undefined {
  let skeleton = "";
  let end = node.type === "Script" ? 0 : node.pos;
  for (const child of children) {
    const letter = child.type === "Statement" ? (child.background === true ? "B" : "S") : LETTERS[child.type];
    if (letter === undefined) continue;
    if (child.pos < end) return undefined;
    skeleton += text.slice(end, child.pos) + letter;
    end = child.end;
  }
  skeleton += text.slice(end, node.type === "Script" ? text.length : node.end);
  return skeleton
    .replaceAll(/(^|[\s;&|()])#[^\n]*/g, "$1")
    .replaceAll(/(?<=[ \t])\\\n|\\\n(?=[ \t])/g, " ")
    .replaceAll("\t", " ");
}

/** The text with blanks in place of its here-documents, or undefined where one doesn't end as it should. */
function maskHereDocuments(
  script: ParsedScript,
  text: string,
  childrenOf: (node: SyntaxNode) => SyntaxNode[],
): string | undefined {
  const found: HereDoc[] = [];
  const collect = (node: SyntaxNode): void => {
    if (node.type === "HereDoc") found.push(node);
    else if (!LEAVES.has(node.type)) for (const child of childrenOf(node)) collect(child);
  };
  collect(script);
  let masked = text;
  for (const { body, closing, delimiter, operator } of found) {
    if (closing === undefined || delimiter === undefined || text[body.pos - 1] !== "\n") return undefined;
    const plain = (line: string): string => (operator === "<<-" ? line.replace(/^\t+/, "") : line);
    const lines = text.slice(body.pos, body.end).split("\n");
    if (lines.some((line) => plain(line) === delimiter.value) || lines.at(-1) !== "") return undefined;
    const last = text.slice(closing.pos, closing.end);
    if (plain(last) !== delimiter.value || closing.pos < body.end) return undefined;
    if (!/^\t*$/.test(text.slice(body.end, closing.pos)) || !/^(?:\n|$)/.test(text.slice(closing.end)))
      return undefined;
    const blank = " ".repeat(closing.end - body.pos);
    masked = masked.slice(0, body.pos) + blank + masked.slice(closing.end);
  }
  return masked;
}
