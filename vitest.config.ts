import { defineConfig, type ViteUserConfig } from "vitest/config";

/** The checks of the documentation read the command's flags from its sources. */
const conditions = ["@toycoder/source", "module", "node", "development|production"];

/** The tests of the workspace's own scripts and measurements. Packages have theirs: see vitest.shared.ts. */
const config: ViteUserConfig = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ["@toycoder/source", "node"] } },
  test: {
    include: ["scripts/**/*.test.mjs", "bench/*/*.test.ts"],
    testTimeout: 20_000,
    reporters: ["default", ["json", { outputFile: ".reports/test.json" }]],
  },
});

export default config;
