/** Variables that name places which are not there in a sandbox: others' temporary folders, and sockets. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  "TMP",
  "TEMP",
  "XDG_RUNTIME_DIR",
  "SSH_AUTH_SOCK",
  "DBUS_SESSION_BUS_ADDRESS",
  "DOCKER_HOST",
]);

/** The variables from which a command's environment is made in a sandbox: temporary files go to its own /tmp. */
export function sandboxSource(source: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(source).filter(([name]) => !ELSEWHERE.has(name));
  return { ...Object.fromEntries(kept), TMPDIR: "/tmp" };
}
