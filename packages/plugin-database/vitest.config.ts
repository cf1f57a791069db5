import { defineConfig, mergeConfig, type ViteUserConfigFnObject } from "vitest/config";
import shared from "../../vitest.shared.ts";

/** One PostgreSQL server for all test files, which leave nothing behind that another one could meet. */
const config: ViteUserConfigFnObject = defineConfig((env) =>
  mergeConfig(shared(env), { test: { globalSetup: ["src/test-support/postgres-setup.ts"] } }),
);

export default config;
