import { existsSync, lstatSync } from "node:fs";

/** What a command sees, for bubblewrap. All paths are absolute and real. */
export interface SandboxFacts {
  /** Folders that can be written. */
  roots: readonly string[];
  /** What in them cannot be written. */
  readOnly: Iterable<string>;
  /** What cannot be read; the value tells a folder. */
  hidden: ReadonlyMap<string, boolean>;
  network: boolean;
  cwd: string;
}

/** Namespaces and rights, the same for the probe: no privilege, nothing that outlives the first process. */
export function namespaceArguments(network: boolean): string[] {
  const own = ["--unshare-pid", "--unshare-ipc", ...(network ? [] : ["--unshare-net"])];
  // The superuser keeps what it needs to work on others' files in the workspace, and nothing else.
  const rights =
    process.getuid?.() === 0
      ? ["ALL", "+CAP_CHOWN", "+CAP_DAC_OVERRIDE", "+CAP_FOWNER"].flatMap((one) =>
          one.startsWith("+") ? ["--cap-add", one.slice(1)] : ["--cap-drop", one],
        )
      : [];
  return [...own, ...rights, "--die-with-parent", "--new-session"];
}

/** Folders that are empty in the sandbox: others' temporary files, and sockets (D-Bus, containers, agents). */
const EMPTIED = ["/tmp", "/run"];

/** What of them stays: the programs of systems that keep them there, and with a network its name servers. */
const PROGRAMS = ["/run/current-system", "/run/wrappers", "/run/opengl-driver"];
const NAME_SERVERS = ["/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager/resolv.conf"];

/**
 * The arguments of bubblewrap up to the program. Everything is there read-only; over it come the roots, over them
 * what is protected in them, over all what is hidden.
 */
export function sandboxArguments({ roots, readOnly, hidden, network, cwd }: SandboxFacts): string[] {
  const args = [...namespaceArguments(network), roots.includes("/") ? "--bind" : "--ro-bind", "/", "/"];
  args.push("--dev", "/dev", "--proc", "/proc");
  for (const one of EMPTIED) if (isFolder(one) && !roots.includes("/")) args.push("--tmpfs", one);
  const kept = network ? [...PROGRAMS, ...NAME_SERVERS] : PROGRAMS;
  for (const one of kept) args.push("--ro-bind-try", one, one);
  const writable = roots.filter((one) => one !== "/").toSorted();
  for (const one of writable) args.push("--bind", one, one);

  const isVisible = (file: string): boolean =>
    ![...EMPTIED, "/dev", "/proc"].some((one) => isBeneath(one, file)) ||
    [...writable, ...kept].some((one) => isBeneath(one, file));
  const folders = [...hidden].flatMap(([file, folder]) => (folder ? [file] : []));
  const isCovered = (file: string): boolean => folders.some((one) => one !== file && isBeneath(one, file));

  for (const one of [...readOnly].toSorted()) {
    if (isVisible(one) && !isCovered(one) && !hidden.has(one)) args.push("--ro-bind", one, one);
  }
  for (const [one, folder] of [...hidden].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (!isVisible(one) || isCovered(one)) continue;
    // A device cannot be opened where devices are not allowed: the error is "Permission denied", not an empty file.
    if (folder) args.push("--perms", "0000", "--tmpfs", one, "--remount-ro", one);
    else args.push("--ro-bind", "/dev/null", one);
  }
  args.push("--chdir", cwd);
  return args;
}

const isBeneath = (folder: string, file: string): boolean => file === folder || file.startsWith(`${folder}/`);

const isFolder = (file: string): boolean => existsSync(file) && !lstatSync(file).isSymbolicLink();
