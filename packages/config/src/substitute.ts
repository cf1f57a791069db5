import type { ConfigProblem } from "./shape.ts";

const REFERENCE = /\$\$\{|\$\{([^}]*)\}?/g;

/** What a text became, the variables that went into it, and what was wrong with it. */
export interface Substituted {
  text: string;
  variables: readonly string[];
  problems: readonly ConfigProblem[];
}

/** Puts environment variables in for `${NAME}`; `$${` stands for a literal `${`. `place` is for the problems. */
export function substitute(text: string, env: NodeJS.ProcessEnv, place: string): Substituted {
  const variables: string[] = [];
  const problems: ConfigProblem[] = [];
  const replaced = text.replace(REFERENCE, (whole: string, name: string | undefined) => {
    if (name === undefined) return "${";
    if (!whole.endsWith("}") || !/^[A-Za-z_]\w*$/.test(name)) {
      problems.push({
        place,
        message: `${whole} names no environment variable; $\${ stands for a plain \${`,
      });
      return whole;
    }
    const value = env[name];
    if (value === undefined) problems.push({ place, message: `the environment variable ${name} is not set` });
    variables.push(name);
    return value ?? "";
  });
  return { text: replaced, variables, problems };
}
