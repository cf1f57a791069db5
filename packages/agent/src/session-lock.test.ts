import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { fileURLToPath } from "node:url";
import { tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { processStart } from "./process-start.ts";
import { lockHolder, SessionLock } from "./session-lock.ts";

const CONTEND = fileURLToPath(new URL("test-support/contend.ts", import.meta.url));

interface Contender {
  child: ChildProcess;
  /** The line that it prints. */
  said: Promise<string>;
}

function contend(folder: string): Contender {
  const child = spawn(process.execPath, ["--conditions=@toycoder/source", CONTEND, folder], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const said = once(child.stdout, "data").then(([data]) => String(data).trim());
  return { child, said };
}

async function kill({ child }: Contender): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function end({ child }: Contender): Promise<void> {
  if (child.exitCode !== null) return;
  child.stdin?.end();
  await once(child, "exit");
}

describe("SessionLock", () => {
  it("keeps a second out, across processes, and names the first; given back, it is free", async () => {
    using folder = tempWorkspace();
    const first = contend(folder.root);
    expect(await first.said).toBe("held");
    expect(lockHolder(folder.root)).toMatchObject({ pid: first.child.pid, host: hostname() });
    expect(() => SessionLock.acquire(folder.root)).toThrow(`is being written by process ${first.child.pid}`);
    await end(first);
    expect(lockHolder(folder.root)).toBeUndefined();
    const lock = SessionLock.acquire(folder.root);
    expect(() => SessionLock.acquire(folder.root)).toThrow(`process ${process.pid}`);
    lock.release();
    SessionLock.acquire(folder.root).release();
    expect(readdirSync(folder.root)).toHaveLength(1);
  });

  it("is taken over from a killed process by exactly one of 20", { timeout: 120_000 }, async () => {
    using folder = tempWorkspace();
    const first = contend(folder.root);
    await first.said;
    await kill(first);
    const all = Array.from({ length: 20 }, () => contend(folder.root));
    const said = await Promise.all(all.map((one) => one.said));
    const winners = all.filter((_, index) => said[index] === "held");
    expect(winners).toHaveLength(1);
    const [winner] = winners;
    const losers = said.filter((line) => line !== "held");
    expect(losers.every((line) => line.includes(`by process ${winner!.child.pid}`))).toBe(true);
    await kill(winner!);
    await Promise.all(all.filter((one) => one !== winner).map(end));
  });

  it("takes no later process of the same number for the holder", () => {
    using folder = tempWorkspace();
    const holder = { pid: process.pid, start: "1", host: hostname() };
    writeFileSync(folder.path("lock.7"), JSON.stringify(holder));
    expect(lockHolder(folder.root)).toBeUndefined();
    SessionLock.acquire(folder.root).release();
    expect(readdirSync(folder.root)).toEqual(["lock.8"]);
  });

  it("leaves a lock of another machine alone, and says which file it is", () => {
    using folder = tempWorkspace();
    writeFileSync(folder.path("lock.2"), JSON.stringify({ pid: 1, start: "1", host: "elsewhere" }));
    try {
      SessionLock.acquire(folder.root);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({
        code: "session_locked",
        message: expect.stringContaining("process 1 on elsewhere"),
        hint: expect.stringContaining(folder.path("lock.2")),
      });
    }
  });
});

describe("processStart", () => {
  it("is the same at every look, and undefined for what does not run", async () => {
    expect(processStart(process.pid)).toBe(processStart(process.pid));
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "exit");
    expect(processStart(child.pid!)).toBeUndefined();
  });
});
