import { defineConfig, type UserConfig } from "tsdown";

/**
 * The command as a few ESM files: start-up is a feature. What a dynamic import() names becomes a chunk of its
 * own, loaded when first needed. Declarations come from `tsc -b`, in the same folder: clean only the JavaScript.
 */
const config: UserConfig = defineConfig({
  entry: {
    bin: "src/bin.ts",
    index: "src/index.ts",
    // The program of a child process of `plugin check`.
    "plugin-probe": "src/plugin-check/plugin-probe.ts",
  },
  format: "esm",
  platform: "node",
  target: "node22.18",
  outDir: "dist",
  clean: ["dist/**/*.js"],
  dts: false,
  sourcemap: false,
  fixedExtension: false,
  inputOptions: {
    resolve: {
      conditionNames: ["@toycoder/source", "node", "import", "module", "default"],
      // Its main file finds its parts in a way that no bundler follows.
      alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    },
  },
  // A lazily loaded package gives its chunk its name: "provider-openai-….js", not "src-….js".
  outputOptions: {
    chunkFileNames: ({ facadeModuleId, name }) => {
      const folder = /[\\/]packages[\\/]([^\\/]+)[\\/]src[\\/]index\.ts$/.exec(facadeModuleId ?? "")?.[1];
      return `${folder ?? name}-[hash].js`;
    },
  },
  // @vscode/ripgrep finds its binary in a platform package beside it, so it stays a dependency.
  deps: {
    neverBundle: ["@vscode/ripgrep"],
    alwaysBundle: [/.*/],
    onlyImport: ["@vscode/ripgrep"],
    onlyBundle: false,
  },
});

export default config;
