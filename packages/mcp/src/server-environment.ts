/** What the SDK takes for safe to hand on, too. */
const SAFE: readonly string[] =
  process.platform === "win32"
    ? [
        "APPDATA",
        "HOMEDRIVE",
        "HOMEPATH",
        "LOCALAPPDATA",
        "PATH",
        "PROCESSOR_ARCHITECTURE",
        "PROGRAMFILES",
        "SYSTEMDRIVE",
        "SYSTEMROOT",
        "TEMP",
        "USERNAME",
        "USERPROFILE",
      ]
    : ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];

/** The marks by which whoever started us finds what we start. */
const MARKS: readonly string[] = ["TOYCODER_CALL", "TOYCODER_SERVER"];

/** The environment of a server's process: a few variables that hold no secrets, and what its config names. */
export function serverEnvironment(
  source: NodeJS.ProcessEnv,
  named: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const safe = [...SAFE, ...MARKS].flatMap((name) => {
    const value = source[name];
    // A value that begins so is a function of a shell.
    return value === undefined || value.startsWith("()") ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(safe), ...named };
}
