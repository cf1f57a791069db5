import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { RunResult } from "@toycoder/agent";
import { tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { modelServer } from "../test-support/model-server.ts";
import { runToycoder } from "../test-support/run-toycoder.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0]);
const GIF = Buffer.from("GIF89a\x01\x00\x01\x00", "latin1");
const WEBP = Buffer.from("RIFF\x1a\x00\x00\x00WEBPVP8L", "latin1");
const base64 = (bytes: Buffer): string => bytes.toString("base64");
const url = (type: string, bytes: Buffer): string => `data:image/${type};base64,${base64(bytes)}`;

interface Body {
  input?: { content: unknown }[];
  messages?: { role: string; content: unknown }[];
}
const chat = ({ messages = [] }: Body): unknown => messages.find(({ role }) => role === "user")?.content;
const APIS = [
  ["openai:m", ({ input }: Body) => input?.[0]?.content],
  ["openai-chat:m", chat],
  ["anthropic:m", chat],
] as const;

describe("--image", () => {
  it.each(APIS)("over %s is in the first message, by what its bytes say", async (model, contentOf) => {
    await using server = await modelServer([{ text: "I see." }, { text: "Still." }]);
    // A name proves nothing.
    using folder = tempWorkspace({ "a.txt": PNG, "b.png": JPEG });
    const base = model.startsWith("anthropic") ? server.url : `${server.url}/v1`;
    const more = ["--model", model, "--base-url", base, "--output", "json"];
    const options = {
      cwd: folder.root,
      env: { OPENAI_API_KEY: "sk-test-123", ANTHROPIC_API_KEY: "sk-ant-123" },
    };
    const args = ["run", "What is it?", ...more, "--image", "a.txt", "--image", folder.path("b.png")];
    const { code, stdout } = await runToycoder(args, options);
    expect(code).toBe(0);
    const { sessionId } = JSON.parse(stdout) as RunResult;

    // A session that goes on still has them.
    expect((await runToycoder(["run", "And now?", "--resume", sessionId, ...more], options)).code).toBe(0);
    for (const body of server.requests as Body[]) {
      const content = JSON.stringify(contentOf(body));
      const at = [url("png", PNG), url("jpeg", JPEG)].map((one) => content.indexOf(one));
      if (model === "anthropic:m") {
        expect(content).toContain(`"media_type":"image/png","data":"${base64(PNG)}"`);
        expect(content).toContain(`"media_type":"image/jpeg","data":"${base64(JPEG)}"`);
      } else expect(at.every((place) => place > 0)).toBe(true);
      expect(content).toContain("What is it?");
    }
    expect(server.requests).toHaveLength(2);
    const [first] = folder
      .read(`.state/sessions/${sessionId}/events.jsonl`)
      .split("\n")
      .filter((line) => line.includes('"type":"user"'));
    expect(JSON.parse(first!)).toMatchObject({
      content: [
        { type: "image", mediaType: "image/png", data: base64(PNG) },
        { type: "image", mediaType: "image/jpeg", data: base64(JPEG) },
        { type: "text", text: "What is it?" },
      ],
    });
  });

  it("takes GIF and WebP, and a file just within the bound", async () => {
    await using server = await modelServer([{ text: "I see." }]);
    const large = Buffer.concat([PNG, Buffer.alloc(3_750_000 - PNG.length)]);
    using folder = tempWorkspace({ "a.gif": GIF, "b.webp": WEBP, "c.png": large });
    const images = ["a.gif", "b.webp", "c.png"].flatMap((name) => ["--image", name]);
    const args = ["run", "x", "--model", "openai-compatible:m", "--base-url", `${server.url}/v1`, ...images];
    expect((await runToycoder(args, { cwd: folder.root })).code).toBe(0);
    const sent = JSON.stringify(server.requests[0]);
    expect(sent).toContain(url("gif", GIF));
    expect(sent).toContain(url("webp", WEBP));
  });

  it.each([
    ["absent.png", "no such file"],
    [".", "it is a folder"],
    ["fifo", "it is no regular file"],
    ["text.png", "no PNG, JPEG, GIF or WebP"],
    ["empty.png", "no PNG, JPEG, GIF or WebP"],
    ["large.png", "at most 3750000"],
  ])("of %s is a usage error before any request", async (file, message) => {
    await using server = await modelServer([{ text: "never" }]);
    using folder = tempWorkspace({
      "text.png": "not an image",
      "empty.png": "",
      "large.png": Buffer.concat([PNG, Buffer.alloc(3_750_000)]),
    });
    execFileSync("mkfifo", [folder.path("fifo")]);
    const args = [
      "run",
      "x",
      "--model",
      "openai-compatible:m",
      "--base-url",
      `${server.url}/v1`,
      "--image",
      file,
    ];
    const { code, stdout, stderr } = await runToycoder(args, { cwd: folder.root });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`--image ${file}: `);
    expect(stderr).toContain(message);
    expect(server.requests).toEqual([]);
    expect(existsSync(folder.path(".state/sessions"))).toBe(false);
  });
});
