import { defineConfig, type ViteUserConfig } from "vitest/config";

/** The tests of the workspace's own scripts. Packages have theirs: see vitest.shared.ts. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ["scripts/**/*.test.mjs"],
    reporters: ["default", ["json", { outputFile: ".reports/test.json" }]],
  },
});

export default config;
