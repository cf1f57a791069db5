import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { importFindings } from "./describe-plugin/import-findings.ts";
import { probeImport } from "./describe-plugin/probe-import.ts";
import { tempWorkspace } from "./temp-workspace.ts";

const folder = tempWorkspace();
afterAll(() => folder.dispose());
let modules = 0;

async function findings(source: string): Promise<string[]> {
  const url = pathToFileURL(folder.write(`${modules++}.mjs`, source)).href;
  return importFindings(await probeImport(url), "x").map(({ code, message }) => `${code}: ${message}`);
}

it("finds nothing in reading lazy globals, and in asking whether stdout is a terminal", async () => {
  expect(
    await findings("void [fetch, crypto, WebSocket, process.stdout.isTTY, process.stdin.isTTY];"),
  ).toEqual([]);
});

it.each([
  [
    "import { writeFileSync } from 'node:fs'; writeFileSync('/tmp/never', '');",
    /^import_writes: .*\/tmp\/never/,
  ],
  ["import fs from 'node:fs/promises'; await fs.mkdir('deep').catch(() => {});", /^import_writes: .*deep/],
  ["import { createWriteStream } from 'node:fs'; try { createWriteStream('log.txt') } catch {}", /log\.txt/],
  ["import { openSync } from 'node:fs'; try { openSync('x.db', 'a+') } catch {}", /^import_writes: .*x\.db/],
  [
    "import { execSync } from 'node:child_process'; try { execSync('git status') } catch {}",
    /^import_starts_process: .*git status/,
  ],
  ["try { process.kill(1) } catch {}", /^import_starts_process: .*kill SIGTERM 1/],
  ["import { spawn } from 'node:child_process'; try { spawn('ls', ['-l']) } catch {}", /ls -l/],
  ["await fetch('http://127.0.0.1:4999/x').catch(() => {});", /^import_connects: .*127\.0\.0\.1:4999/],
  ["import net from 'node:net'; net.connect(9, '127.0.0.1').on('error', () => {});", /^import_connects/],
  ["import dns from 'node:dns/promises'; await dns.lookup('example.com').catch(() => {});", /example\.com/],
  ["globalThis.cache = new Map();", /^import_changes_globals: .*globalThis\.cache/],
  ["Array.prototype.last = function () { return this.at(-1); };", /Array\.prototype\.last/],
  ["const { log } = console; console.log = (...all) => log('x', ...all);", /console\.log/],
  ["process.on('SIGINT', () => {});", /a listener of process "SIGINT"/],
  ["process.env.DEBUG = '1';", /process\.env\.DEBUG/],
  ["process.chdir('/');", /the working folder/],
  ["setInterval(() => {}, 1000);", /^import_leaves_open: .*Timeout/],
  ["import http from 'node:http'; http.createServer().listen(0, '127.0.0.1');", /^import_leaves_open: .*TCP/],
  ["process.stdout.write('hi');", /^import_prints: .*hi/],
  ["throw new Error('not today');", /^import_failed: .*not today/],
  ["process.exit(3);", /^import_failed: .*exit code 3/],
  ["await new Promise(() => {});", /^import_failed/],
  ["import 'no-such-package';", /^import_failed: .*no-such-package/],
])("finds %s", async (source, what) => {
  const found = await findings(source);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(what);
});
