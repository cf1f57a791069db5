import { isOwnVariable } from "./assignments.ts";
import type { Redirection, Word } from "unbash";
import { physicalPath } from "./physical-path.ts";
import { readQuotedParts, readWord } from "./read-word.ts";
import { type ShellState, withVariable } from "./shell-state.ts";
import { expandTilde } from "./tilde.ts";
import type { Walk } from "./walk.ts";

const NOTHING = /^\/dev\/(?:null|zero|full|tty|std(?:in|out|err)|fd\/\d+)$/;
const SOCKET = /^\/dev\/(?:tcp|udp)\/([^/]+)\/[^/]+$/;

/**
 * The files and hosts that redirections open: certain reads and writes. Gives the state after them: `{name}>file` sets
 * a variable.
 */
export function redirect(redirects: readonly Redirection[], state: ShellState, walk: Walk): ShellState {
  let after = state;
  for (const one of redirects) {
    if (one.type === "HereDoc") readHereDocument(one, state, walk);
    else if (one.target === undefined) walk.addOpaque(one.operator, "a redirection leads nowhere");
    else if (one.type === "HereString") readWord(one.target, state, walk);
    else {
      open(one.operator, one.target, state, walk);
      if (one.descriptor?.type === "FileDescriptorVariable") {
        const { name } = one.descriptor;
        after = withVariable(after, name, undefined);
        if (isOwnVariable(name, walk)) walk.addOpaque(name, `${name} changes what commands do`);
      }
    }
  }
  return after;
}

function readHereDocument(
  { body, delimiter }: Extract<Redirection, { type: "HereDoc" }>,
  state: ShellState,
  walk: Walk,
): void {
  if (delimiter?.quoted === true && /['"\\]/.test(delimiter.text)) return;
  const literal = {
    type: "Literal",
    pos: body.pos,
    end: body.end,
    text: body.text,
    value: body.text,
  } as const;
  readQuotedParts(body.parts ?? [literal], body, state, walk);
}

function open(operator: string, target: Word, state: ShellState, walk: Walk): void {
  if ((operator === ">&" || operator === "<&") && /^(?:\d+-?|-)$/.test(target.text)) return;
  const [word, ...more] = readWord(target, state, walk);
  const text = `${operator} ${target.text}`;
  if (word === undefined || more.length > 0 || word.unknown === true || word.glob) {
    walk.addOpaque(text, `${target.text} is only known when it runs`);
    return;
  }
  if (word.stream === true || NOTHING.test(word.value)) return;
  const host = SOCKET.exec(word.value)?.[1];
  if (host !== undefined) {
    walk.add({ kind: "net", host });
    return;
  }
  const path = word.tilde ? expandTilde(word.value, walk) : word.value;
  if (path === undefined || path === "" || operator === "<&") {
    walk.addOpaque(text, `${target.text} is only known when it runs`);
    return;
  }
  const folders = path.startsWith("/") ? ["/"] : state.folders;
  if (folders === undefined) {
    walk.addOpaque(text, `the folder in which ${target.text} lies is only known when it runs`);
    return;
  }
  for (const folder of folders) {
    const place = physicalPath(path, folder);
    if (operator === "<" || operator === "<>") walk.add({ kind: "read", path: place });
    if (operator === "<") continue;
    walk.add({ kind: "write", path: place });
    walk.written.add(place);
  }
  if (operator !== "<") walk.undisturbed = false;
}
