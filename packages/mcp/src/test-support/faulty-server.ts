// An MCP server by hand, over stdio, with a flag or a tool for each way in which servers misbehave:
// `node faulty-server.ts [flags]`. Whatever it starts has its arguments, to be found by them.
import { spawn } from "node:child_process";
import { appendFileSync, closeSync, writeSync } from "node:fs";
import { oddTools } from "./odd-tools.ts";

type Message = { id?: number | string; method?: string; params?: Record<string, unknown>; result?: unknown };

const flags = new Map(
  process.argv.slice(2).map((arg) => {
    const [name = "", value = ""] = arg.replace(/^--/, "").split(/=(.*)/s);
    return [name, value] as const;
  }),
);
const out = (text: string): void => {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
  }
};
const send = (message: object): void => out(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const note = (text: string): void => {
  const file = flags.get("notes");
  if (file !== undefined) appendFileSync(file, `${text}\n`);
};
const said = (text: string): object => ({ content: [{ type: "text", text }] });

if (flags.has("banner")) out("Welcome to the faulty server!\n\n  version 1\n{ not json\n");
if (flags.has("exit-at-start")) {
  process.stderr.write("no licence found\n");
  process.exit(Number(flags.get("exit-at-start")));
}
if (flags.has("ignore-end")) {
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 1000);
}
if (flags.has("grandchildren")) {
  const code = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
  for (const detached of [false, true]) {
    const args = ["-e", code, "--", ...process.argv.slice(2)];
    spawn(process.execPath, args, { detached, stdio: detached ? "ignore" : "inherit" }).unref();
  }
}
if (flags.has("stderr-flood")) {
  const block = Buffer.alloc(1024 * 1024, "e");
  const left = Number(flags.get("stderr-flood"));
  for (let written = 0; written < left; written += block.length) writeSync(2, block);
}
note(`start ${process.pid}`);

let isChanged = false;
let nextId = 1;
const waiting = new Map<unknown, (message: Message) => void>();
const ask = (method: string, params: object): Promise<Message> =>
  new Promise((resolve) => {
    const id = `s${nextId++}`;
    waiting.set(id, resolve);
    send({ id, method, params });
  });

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const STRUCTURE = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] };

type Call = (
  args: Record<string, unknown>,
  message: Message,
) => object | undefined | Promise<object | undefined>;
const TOOLS: Record<string, Call> = {
  echo: ({ text }) => said(String(text)),
  exit: () => process.exit(3),
  kill: () => void process.kill(process.pid, "SIGKILL"),
  close_stdout: () => {
    closeSync(1);
    setInterval(() => {}, 1000);
    return undefined;
  },
  half: (_, { id }) => {
    out(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"te`);
    return process.exit(0);
  },
  silent: () => undefined,
  garbage: () => {
    out("<html>\n[1, 2\nnull\n42\n{}\n");
    return said("after garbage");
  },
  progress: async ({ steps, ms }, { params }) => {
    const { progressToken } = (params?.["_meta"] ?? {}) as { progressToken?: unknown };
    for (let progress = 1; progress <= Number(steps); progress++) {
      await new Promise((resolve) => setTimeout(resolve, Number(ms)));
      send({
        method: "notifications/progress",
        params: { progressToken, progress, total: steps, message: "step" },
      });
    }
    return said("done");
  },
  big: ({ bytes }) => said("x".repeat(Number(bytes))),
  bad_utf8: (_, { id }) => {
    const [head = "", tail = ""] = JSON.stringify({ jsonrpc: "2.0", id, result: said("a?b") }).split("?");
    writeSync(1, Buffer.concat([Buffer.from(head), Buffer.from([0xff, 0xfe]), Buffer.from(`${tail}\n`)]));
    return undefined;
  },
  empty: () => ({ content: [] }),
  error: () => ({ ...said("the disk is full"), isError: true }),
  failed_with_image: () => ({
    content: [
      { type: "text", text: "the page looks wrong" },
      { type: "image", data: PNG, mimeType: "image/png" },
    ],
    isError: true,
  }),
  every_part: () => ({
    content: [
      { type: "text", text: "one" },
      { type: "image", mimeType: "image/png", data: PNG },
      { type: "image", mimeType: "image/png", data: Buffer.from("<svg/>").toString("base64") },
      { type: "audio", mimeType: "audio/wav", data: Buffer.from("RIFF").toString("base64") },
      { type: "resource", resource: { uri: "note://1", mimeType: "text/plain", text: "a note" } },
      { type: "resource", resource: { uri: "bin://1", blob: Buffer.from([1, 2, 3]).toString("base64") } },
      { type: "resource_link", uri: "file:///x", name: "x", description: "a file" },
      { type: "hologram", depth: 3 },
      null,
    ],
  }),
  image_structured: () => ({
    content: [{ type: "image", mimeType: "image/png", data: PNG }],
    structuredContent: { image: PNG, width: 1 },
  }),
  sum: ({ sum }) => ({
    content: [{ type: "text", text: JSON.stringify({ sum }) }],
    structuredContent: { sum },
  }),
  change_list: () => {
    isChanged = true;
    send({ method: "notifications/tools/list_changed" });
    return said("changed");
  },
  roots: async () => said(JSON.stringify((await ask("roots/list", {})).result)),
  sampling: async () =>
    said(JSON.stringify(await ask("sampling/createMessage", { messages: [], maxTokens: 1 }))),
  elicit: async () => {
    const requestedSchema = {
      type: "object",
      properties: { colour: { type: "string" }, count: { type: "integer" } },
    };
    return said(
      JSON.stringify((await ask("elicitation/create", { message: "Which?", requestedSchema })).result),
    );
  },
  env: () => said(JSON.stringify(process.env)),
  log: () => {
    send({
      method: "notifications/message",
      params: { level: "warning", logger: "me", data: "low on paper" },
    });
    return said("logged");
  },
  no_result: (_, { id }) => {
    send({ id, result: 42 });
    return undefined;
  },
  rpc_error: (_, { id }) => {
    send({ id, error: { code: -32602, message: "no such planet" } });
    return undefined;
  },
};

function listed(): unknown[] {
  if (flags.has("odd")) return oddTools();
  if (flags.has("many")) {
    return Array.from({ length: Number(flags.get("many")) }, (_, index) => ({
      name: `tool_${index}`,
      description: `Tool ${index}`,
      inputSchema: { type: "object" },
    }));
  }
  const names = isChanged ? ["echo", "new_tool"] : Object.keys(TOOLS);
  return names.map((name) => ({
    name,
    description: `Does ${name}.`,
    inputSchema: { type: "object" },
    ...(name === "sum" && { outputSchema: STRUCTURE }),
    annotations: { readOnlyHint: name === "echo", destructiveHint: name === "kill" },
  }));
}

async function answer(message: Message): Promise<void> {
  const { id, method, params = {} } = message;
  if (method === undefined) return waiting.get(id)?.(message);
  if (method === "notifications/cancelled") return note(`cancelled ${String(params["requestId"])}`);
  if (id === undefined) return;
  if (method === "initialize") {
    if (flags.has("silent-start")) return;
    const capabilities = {
      tools: { listChanged: true },
      ...(flags.has("resources") && { resources: {} }),
      logging: {},
    };
    const { protocolVersion } = params;
    return send({
      id,
      result: { protocolVersion, capabilities, serverInfo: { name: "faulty", version: "1.2.3" } },
    });
  }
  if (method === "tools/list") {
    const tools = listed();
    const size = Number(flags.get("page") ?? tools.length);
    const from = Number(params["cursor"] ?? 0);
    if (flags.has("restless")) send({ method: "notifications/tools/list_changed" });
    const next = flags.has("circle") ? "0" : from + size < tools.length ? String(from + size) : undefined;
    return send({ id, result: { tools: tools.slice(from, from + size), nextCursor: next } });
  }
  if (method === "tools/call") {
    const name = String(params["name"]);
    note(`call ${name}`);
    const result = await TOOLS[name]?.((params["arguments"] ?? {}) as Record<string, unknown>, message);
    return result === undefined ? undefined : send({ id, result });
  }
  if (method === "resources/list")
    return send({ id, result: { resources: [{ uri: "note://1", name: "first", mimeType: "text/plain" }] } });
  if (method === "resources/templates/list")
    return send({ id, result: { resourceTemplates: [{ uriTemplate: "note://{n}", name: "note" }] } });
  if (method === "resources/read")
    return send({
      id,
      result: { contents: [{ uri: params["uri"], text: `the note ${String(params["uri"])}` }] },
    });
  send({ id, error: { code: -32601, message: "Method not found" } });
}

let rest = "";
process.stdin.on("data", (chunk) => {
  const lines = (rest + String(chunk)).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) void answer(JSON.parse(line) as Message);
});
process.stdin.on("end", () => {
  if (!flags.has("ignore-end")) process.exit(0);
});
