import type { ClientRequestArgs } from "node:http";

/** Something that code tried to do outside of itself. */
export interface WatchedEffect {
  kind: "write" | "read" | "process" | "network" | "database";
  /** The path, the command line, the host or the statement. */
  what: string;
}

/** What is let through while effects are watched. */
export interface WatchOptions {
  /** Writes that are let through: beneath this folder. */
  writable?: string;
  /** Reads of such paths are told; they are let through. */
  watchRead?: (path: string) => boolean;
}

type Callable = (...args: unknown[]) => unknown;
type Holder = Record<string, unknown>;

const builtin = (name: string): Holder => process.getBuiltinModule(name) as unknown as Holder;

/** What writes, by the index of the path that it writes. */
const WRITERS: Readonly<Record<string, number>> = {
  appendFile: 0, chmod: 0, chown: 0, copyFile: 1, cp: 1, createWriteStream: 0, link: 1, mkdir: 0, mkdtemp: 0, mkdtempDisposable: 0,
  rename: 1, rm: 0, rmdir: 0, symlink: 1, truncate: 0, unlink: 0, utimes: 0, writeFile: 0,
}; // prettier-ignore
const READERS = ["createReadStream", "open", "opendir", "readFile", "readdir"];
const STARTERS = ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"];
const LOOKUPS = ["lookup", "resolve", "resolve4", "resolve6"];

/**
 * From now on this process's own code can't write files, start programs or connect through Node's modules: each
 * attempt is refused and kept. There is no way back: it is for a process that exists for this alone.
 */
export function watchEffects({ writable, watchRead }: WatchOptions = {}): WatchedEffect[] {
  const seen: WatchedEffect[] = [];
  const path = process.getBuiltinModule("path");
  const refuse = (kind: WatchedEffect["kind"], what: string, code: string): Error => {
    seen.push({ kind, what });
    return Object.assign(new Error(`${code}: refused while the plugin is checked: ${kind} ${what}`), {
      code,
    });
  };
  const isFree = (file: string): boolean => {
    if (file === "/dev/null") return true;
    const way = writable === undefined ? ".." : path.relative(writable, path.resolve(file));
    return !way.startsWith("..") && !path.isAbsolute(way);
  };
  /** Puts `check` in front of a function; what it gives is thrown, or rejects. */
  const guard = (
    holder: Holder,
    name: string,
    check: (args: unknown[]) => Error | undefined,
    isAsync: boolean,
  ): void => {
    const real = holder[name];
    if (typeof real !== "function") return;
    const guarded = function guarded(this: unknown, ...args: unknown[]): unknown {
      const error = check(args);
      if (error === undefined) return Reflect.apply(real as Callable, this, args);
      if (isAsync) return Promise.reject(error);
      throw error;
    };
    // What hangs on it, as util.promisify's symbol on exec, keeps to the same refusal.
    holder[name] = Object.assign(guarded, { [Symbol.for("nodejs.util.promisify.custom")]: undefined });
  };
  const fs = builtin("fs");
  const fileSystems: [Holder, boolean][] = [[fs, false], [fs["promises"] as Holder, true]]; // prettier-ignore
  for (const [holder, isAsync] of fileSystems) {
    for (const suffix of ["", "Sync"]) {
      for (const [name, index] of Object.entries(WRITERS)) {
        guard(holder, name + suffix, (args) => {
          const file = pathOf(args[index]);
          return file === undefined || isFree(file) ? undefined : refuse("write", file, "EACCES");
        }, isAsync); // prettier-ignore
      }
      for (const name of READERS) {
        guard(holder, name + suffix, (args) => {
          const file = pathOf(args[0]);
          if (file === undefined) return undefined;
          if (name === "open" && writes(args[1]) && !isFree(file)) return refuse("write", file, "EACCES");
          if (watchRead?.(file) === true) seen.push({ kind: "read", what: file });
          return undefined;
        }, isAsync); // prettier-ignore
      }
    }
  }
  const starters = builtin("child_process");
  for (const name of STARTERS) {
    guard(starters, name, (args) => refuse("process", commandLine(name, args), "EACCES"), false);
  }
  guard(process as unknown as Holder, "kill", ([pid, signal]) => refuse("process", `kill ${String(signal ?? "SIGTERM")} ${String(pid)}`, "EPERM"), false); // prettier-ignore
  guardNetwork((host) => refuse("network", host, "ENETUNREACH"));
  guardDatabase((statement) => void seen.push({ kind: "database", what: statement }));
  process.getBuiltinModule("module").syncBuiltinESMExports();
  return seen;

  function guardNetwork(unreachable: (host: string) => Error): void {
    const { isIP, Socket } = process.getBuiltinModule("net");
    const connect = Socket.prototype.connect as (options: object) => InstanceType<typeof Socket>;
    Socket.prototype.connect = function refused(this: InstanceType<typeof Socket>, ...args: unknown[]) {
      unreachable(hostOf(args));
      // It fails as a connection does, whatever is built on it: nobody listens on this port.
      return Reflect.apply(connect, this, [{ host: "127.0.0.1", port: 1 }]);
    };
    const { Socket: Datagrams } = process.getBuiltinModule("dgram");
    guard(Datagrams.prototype as unknown as Holder, "send", () => unreachable("a datagram"), false);
    const dns = builtin("dns");
    const isLocal = (host: unknown): boolean => host === "localhost" || isIP(String(host)) !== 0;
    for (const name of LOOKUPS) {
      guard(dns["promises"] as Holder, name, ([host]) => (isLocal(host) ? undefined : unreachable(String(host))), true); // prettier-ignore
      const real = dns[name] as Callable;
      dns[name] = (host: unknown, ...rest: unknown[]) => {
        if (isLocal(host)) return real(host, ...rest);
        const callback = rest.at(-1);
        const error = unreachable(String(host));
        if (typeof callback === "function")
          queueMicrotask(() => void Reflect.apply(callback, undefined, [error]));
      };
    }
  }
}

function pathOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (value instanceof URL) return process.getBuiltinModule("url").fileURLToPath(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString() : undefined;
}

function writes(flags: unknown): boolean {
  if (typeof flags === "number") return (flags & 0b11) !== 0;
  return typeof flags === "string" && /[wa+]/.test(flags);
}

function commandLine(name: string, [file, args, options]: unknown[]): string {
  const words = Array.isArray(args) ? args.map(String) : [];
  const settings = (Array.isArray(args) ? options : args) as { shell?: unknown } | undefined;
  const isShell = name === "exec" || name === "execSync" || Boolean(settings?.shell);
  return `${[String(file), ...words].join(" ")}${isShell ? " (in a shell)" : ""}`;
}

/** `connect` takes a port, a path, options, or a list of these that Node has made itself. */
function hostOf(args: unknown[]): string {
  const [first, second] = args.flat<unknown[]>();
  if (typeof first !== "object" || first === null) {
    return typeof first === "string" && Number.isNaN(Number(first))
      ? first
      : `${typeof second === "string" ? second : "localhost"}:${String(first)}`;
  }
  const { host, port, socketPath } = first as ClientRequestArgs & { path?: string };
  const { path } = first as { path?: string };
  if (port === undefined || port === null) return socketPath ?? path ?? "a socket";
  return `${host ?? "localhost"}:${port}`;
}

/** Statements that reach SQLite as they are. */
function guardDatabase(tell: (statement: string) => void): void {
  let sqlite: Holder;
  try {
    sqlite = builtin("node:sqlite");
  } catch {
    return;
  }
  const prototype = (sqlite?.["DatabaseSync"] as { prototype: Holder } | undefined)?.prototype;
  if (prototype === undefined) return;
  for (const name of ["exec", "prepare"]) {
    const real = prototype[name] as Callable;
    prototype[name] = function watched(this: unknown, ...args: unknown[]): unknown {
      tell(String(args[0]));
      return Reflect.apply(real, this, args);
    };
  }
}
