/** Names that hold a secret, whatever their prefix. */
const SECRET_NAME = /(?:^|_)(?:TOKEN|KEY|SECRET|PASSWORD)$/i;

/** What makes bash run a file, or read a command differently from what its text says. */
const CHANGES_SHELL = /^(?:BASH_ENV|ENV|SHELLOPTS|BASHOPTS|BASH_FUNC_.*|CDPATH|GLOBIGNORE)$/;

/**
 * Files of GitHub's runner: what is written there counts for the step's outputs and summary, and for the steps after
 * it. GitHub docs, "Workflow commands", environment files.
 */
const RUNNER_FILE = /^GITHUB_(?:ENV|PATH|OUTPUT|STATE|STEP_SUMMARY)$/;

/** No prompt, no editor, no pager, no colours: nobody is there to answer or to look. */
const QUIET: Readonly<Record<string, string>> = {
  CI: "1",
  GIT_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  NO_COLOR: "1",
  PAGER: "cat",
};

export interface EnvironmentOptions {
  /** Names of variables that hold credentials of the config. */
  secretVariables?: readonly string[];
  /** Names to pass on all the same; or values by name, where `true` passes the variable on as it is. */
  env?: readonly string[] | Readonly<Record<string, string | true>>;
}

/** The environment of a command: `source` without secrets and the runner's files, then what keeps programs quiet, then what `env` adds. */
export function commandEnvironment(
  source: NodeJS.ProcessEnv,
  options: EnvironmentOptions = {},
): Record<string, string> {
  const { secretVariables = [], env = [] } = options;
  const secrets = new Set(secretVariables);
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(source)) {
    if (value === undefined || secrets.has(name)) continue;
    if (![SECRET_NAME, CHANGES_SHELL, RUNNER_FILE].some((kind) => kind.test(name))) result[name] = value;
  }
  Object.assign(result, QUIET);
  const added: Record<string, string | true> = isNames(env)
    ? Object.fromEntries(env.map((name) => [name, true]))
    : env;
  for (const [name, given] of Object.entries(added)) {
    const value = given === true ? source[name] : given;
    if (value !== undefined) result[name] = value;
  }
  return result;
}

const isNames = (env: NonNullable<EnvironmentOptions["env"]>): env is readonly string[] => Array.isArray(env);
