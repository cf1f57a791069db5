import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

/** A server that tests may talk to. */
export interface TestPostgres {
  /** `pglite`: the server compiled to WebAssembly, one session for all, without roles, time limits and cancelling. */
  kind: "server" | "pglite";
  host: string;
  port: number;
  /** Folder of its Unix socket. */
  socket?: string;
  /** Password of the superuser `postgres`. */
  password: string;
}

export interface RunningPostgres extends TestPostgres {
  stop(): Promise<void>;
}

const READY = "database system is ready to accept connections";
/** nobody: PostgreSQL does not run as root. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };

/** The folder of initdb and postgres; undefined where they are not installed. */
export function postgresBinaries(): string | undefined {
  const versions = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql") : [];
  const folders = [
    ...(process.env.PATH ?? "").split(path.delimiter),
    ...versions.toSorted((a, b) => Number(b) - Number(a)).map((one) => `/usr/lib/postgresql/${one}/bin`),
    "/usr/local/pgsql/bin",
    "/opt/homebrew/opt/postgresql/bin",
  ];
  return folders.find((folder) =>
    ["initdb", "postgres"].every((name) => existsSync(path.join(folder, name))),
  );
}

/** Makes a database cluster in a temporary folder and serves it on 127.0.0.1 and a Unix socket. */
export async function startPostgres(binaries: string): Promise<RunningPostgres> {
  const as = process.getuid?.() === 0 ? UNPRIVILEGED : undefined;
  const folder = mkdtempSync(path.join(tmpdir(), "toycoder-pg-"));
  const password = "admin-password";
  const passwordFile = path.join(folder, "password");
  writeFileSync(passwordFile, password);
  for (const place of [folder, passwordFile]) if (as !== undefined) chownSync(place, as.uid, as.gid);
  const data = path.join(folder, "data");
  execFileSync(
    path.join(binaries, "initdb"),
    [
      "-D",
      data,
      "-U",
      "postgres",
      "--auth-local=trust",
      "--auth-host=scram-sha-256",
      "--pwfile",
      passwordFile,
      "-E",
      "UTF8",
      "--locale=C",
      "--no-sync",
    ],
    { ...as, cwd: folder, stdio: "pipe" },
  );
  const port = await freePort();
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: folder,
    fsync: "off",
    autovacuum: "off",
    // Of nobody's time zone or style: results don't depend on what a server has set.
    timezone: "Asia/Kathmandu",
    datestyle: "SQL, DMY",
    intervalstyle: "sql_standard",
    bytea_output: "escape",
    extra_float_digits: "-3",
  };
  const server = spawn(
    path.join(binaries, "postgres"),
    [
      "-D",
      data,
      "-p",
      String(port),
      ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
    { ...as, cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
  );
  const stop = async (): Promise<void> => {
    const gone = server.exitCode === null ? once(server, "exit") : undefined;
    // Immediate shutdown: sessions are ended, nothing is written.
    server.kill("SIGQUIT");
    await gone;
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  await ready(server);
  return { kind: "server", host: "127.0.0.1", port, socket: folder, password, stop };
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const said: string[] = [];
    if (server.stderr === null) return reject(new Error("no stderr"));
    createInterface(server.stderr).on("line", (line) => {
      said.push(line);
      if (line.includes(READY)) resolve();
    });
    server.once("error", reject);
    server.once("exit", () => reject(new Error(`postgres ended: ${said.join("\n")}`)));
  });
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
