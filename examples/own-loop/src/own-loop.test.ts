import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { tempWorkspace } from "@toycoder/testing";
import { expect, test } from "vitest";

const SCRIPT = fileURLToPath(new URL("own-loop.ts", import.meta.url));

interface Request {
  messages: { role: string; content: string }[];
  tools: { function: { name: string; parameters: { required: string[] } } }[];
}

test("it reads the note it may read, is denied the one it may not, and answers", async () => {
  const call = (id: string, path: string) => ({
    id,
    type: "function",
    function: { name: "read_note", arguments: JSON.stringify({ path }) },
  });
  const answers = [
    { content: null, tool_calls: [call("a", "calls.txt"), call("b", ".env")] },
    { content: "Ada is to be called." },
  ];
  const requests: Request[] = [];
  const server = createServer(async (request, response) => {
    requests.push((await json(request)) as Request);
    response.end(JSON.stringify({ choices: [{ message: answers[requests.length - 1] }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  using folder = tempWorkspace({ "calls.txt": "Call Ada.\n", ".env": "KEY=secret\n" });
  try {
    const { port } = server.address() as AddressInfo;
    const env = { ...process.env, MODEL_URL: `http://127.0.0.1:${port}`, MODEL: "m" };
    const args = ["--conditions=@toycoder/source", SCRIPT, "Who is to be called?"];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder.root, env });
    expect(stdout).toBe("Ada is to be called.\n");
  } finally {
    server.close();
  }
  expect(requests[0]?.tools[0]?.function).toMatchObject({
    name: "read_note",
    parameters: { required: ["path"] },
  });
  const results = requests[1]?.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  expect(results).toEqual(["Call Ada.\n", expect.stringContaining("permission_denied") as string]);
});
