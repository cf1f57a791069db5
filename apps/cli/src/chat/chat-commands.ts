import { checkRuleNames, createPolicy, nearest } from "@toycoder/core";
import { plainLine } from "../render/plain-text.ts";
import { costText, tokensText } from "../render/summary.ts";
import { UsageError } from "../usage-error.ts";
import type { ChatActions } from "./chat-actions.ts";
import { type SlashCommands, slashHelp } from "./slash-commands.ts";

/** What a line that starts with a slash can say. */
export const CHAT_COMMANDS: SlashCommands<ChatActions> = {
  help: { usage: "", summary: "these commands", act: (chat) => chat.say(slashHelp(CHAT_COMMANDS)) },
  tool: {
    usage: "list | enable NAME | disable NAME",
    summary: "the tools, and whether the model may call them in this session",
    act: tool,
  },
  approve: { usage: "RULE", summary: "allow more for the rest of the session", act: approve },
  reset: {
    usage: "",
    summary: "take back what was approved in this session",
    act({ conversation, say }) {
      const { length } = conversation.session.approvals;
      conversation.session.resetApprovals();
      say(length === 0 ? "nothing was approved" : `taken back: ${count(length, "approval")}`);
    },
  },
  model: {
    usage: "[NAME]",
    summary: "say which model answers, or choose another",
    async act(chat, name) {
      if (name !== "") await chat.chooseModel(name);
      chat.say(plainLine(chat.model.id));
    },
  },
  new: {
    usage: "",
    summary: "begin a new session; approvals and enabled tools are as at the start",
    act: (chat) => chat.renew(),
  },
  undo: {
    usage: "",
    summary: "put back the files that the session changed; once more does the changes again",
    act: undo,
  },
  cost: { usage: "", summary: "what the session took so far", act: cost },
  exit: { usage: "", summary: "leave; toycoder chat --resume last goes on", act: (chat) => chat.leave() },
};

const TOOL_WORDS = ["list", "enable", "disable"];

function tool({ conversation: { session }, say }: ChatActions, rest: string): void {
  const [word = "list", name] = rest === "" ? [] : rest.split(/\s+/);
  if (!TOOL_WORDS.includes(word)) {
    const [near] = nearest(word, TOOL_WORDS, 1);
    throw new UsageError(
      `/tool has no ${word}`,
      near === undefined ? "it has list, enable and disable" : `did you mean /tool ${near}?`,
    );
  }
  if (word === "list") {
    const all = session.registry.list();
    const width = Math.max(0, ...all.map((one) => one.name.length));
    return say(
      all
        .map(
          (one) =>
            `${one.name.padEnd(width)}  ${one.permission}${session.isEnabled(one) ? "" : ", disabled"}`,
        )
        .join("\n"),
    );
  }
  if (name === undefined) throw new UsageError(`which tool? /tool ${word} NAME`, "/tool list names them");
  if (word === "disable") session.disable(name);
  else session.enable(name);
  const { permission } = session.registry.require(name);
  const asks = word === "enable" && permission !== "safe" ? "; it asks at each call" : "";
  say(`${name} is ${word}d for this session${asks}`);
}

function approve({ conversation: { session }, say }: ChatActions, rule: string): void {
  if (rule === "") {
    const rules = session.approvals.map(({ source }) => plainLine(source));
    return say(rules.length === 0 ? "nothing is approved; /approve RULE does it" : rules.join("\n"));
  }
  const policy = createPolicy({ root: session.policy.root, allow: [rule] });
  checkRuleNames(
    policy,
    session.registry.snapshot().map(({ name }) => name),
  );
  session.approve(rule);
  say(`approved for this session: ${rule}`);
}

function undo({ conversation, say }: ChatActions): void {
  const done = conversation.undo();
  if (done === undefined || done.files.length + done.refused.length === 0)
    return say("the session changed no file");
  for (const { path, action } of done.files) say(`${action} ${plainLine(path)}`);
  for (const { path, reason } of done.refused) say(`refused ${plainLine(path)}: ${plainLine(reason)}`);
  if (done.refused.length > 0)
    say(`toycoder undo ${conversation.id} --file FILE or --force does it, after the chat`);
  else say(done.by === "undo" ? "put back; /undo does the changes again" : "the changes are done again");
}

function cost({ conversation: { summary }, say }: ChatActions): void {
  if (summary === undefined) return say("nothing yet");
  const { turns, costUsd } = summary;
  const price = costUsd === null ? ", at a price that is not known" : `, ${costText(costUsd)}`;
  say(`${count(turns, "turn")}, ${tokensText(summary, null)}${price}`);
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
