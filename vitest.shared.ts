import { defineConfig, type ViteUserConfigFnObject } from "vitest/config";

/** Workspace packages are tested from their sources: no build comes first. */
const conditions = ["@toycoder/source", "module", "node", "development|production"];

/**
 * The configuration of every package. `vitest run` runs `*.test.ts`; `vitest run --mode soak` runs what
 * differs there: `*.soak.test.ts`, and `*.property.test.ts` with full counts (TOYCODER_SOAK is "1");
 * `vitest run --mode live` runs `*.live.test.ts`, which asks real providers and is no part of the others.
 */
const config: ViteUserConfigFnObject = defineConfig(({ mode }) => {
  const soak = mode === "soak";
  const live = mode === "live";
  return {
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: ["@toycoder/source", "node"] } },
    test: {
      include: [`src/**/*${live ? ".live" : soak ? ".{soak,property}" : ""}.test.ts`],
      exclude: [
        "**/node_modules/**",
        "**/dist/**",
        ...(soak ? [] : ["src/**/*.soak.test.ts"]),
        ...(live ? [] : ["src/**/*.live.test.ts"]),
      ],
      env: { TOYCODER_SOAK: soak ? "1" : "" },
      typecheck: { enabled: !soak && !live, tsconfig: "tsconfig.test.json", include: ["src/**/*.test-d.ts"] },
      pool: "threads",
      // Test files of a worker share their modules: a third of the time. What one changes, it puts back.
      isolate: false,
      // Most tests wait for processes and servers: a worker for each core, not one less.
      maxWorkers: "100%",
      passWithNoTests: true,
      testTimeout: soak ? 600_000 : live ? 120_000 : 20_000,
      reporters: [
        "default",
        ["json", { outputFile: `.reports/${live ? "live" : soak ? "soak" : "test"}.json` }],
      ],
    },
  };
});

export default config;
