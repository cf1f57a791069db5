import type { ToolRegistry } from "@toycoder/core";

/** A credential that the config says nothing of is the environment variable of its name. */
export function ownNames(registry: ToolRegistry): Record<string, string> {
  const names = registry.list({ includeDeprecated: true }).flatMap((tool) => tool.requiresAuth);
  return Object.fromEntries(names.map((name) => [name, name]));
}

/** The values of credentials, by name; those whose variables are not set are left out. */
export function credentialsOf(
  names: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, variable]) => {
      const value = env[variable];
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  );
}
