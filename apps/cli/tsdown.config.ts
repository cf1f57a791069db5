import { defineConfig, type Rolldown, type UserConfig } from "tsdown";
import { leanOpenai } from "./bundle/lean-openai.ts";

/**
 * What every run loads stands in few chunks: each file that Node has to find, read and link costs 0.5 ms and more.
 * A group takes what its modules import with it; what an earlier one has is not in a later one.
 */
const groups = [
  { name: "main", test: /[\\/]cli[\\/]src[\\/]main\.ts$/ },
  {
    name: "run",
    test: /[\\/](cli[\\/]src[\\/]commands[\\/]run|(plugin-(files|search|shell|question)|core)[\\/]src[\\/]index|core[\\/]src[\\/]wire[\\/]index)\.ts$/,
  },
  { name: "openai-sdk", test: /[\\/]node_modules[\\/]openai[\\/]/ },
  { name: "anthropic-sdk", test: /[\\/]node_modules[\\/]@anthropic-ai[\\/]sdk[\\/]/ },
];

/** One character outside of ASCII makes Node keep the whole text of a file in two bytes a character. */
const asciiOnly: Rolldown.Plugin = {
  name: "ascii-only",
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === "chunk") file.code = file.code.replace(/[^\0-\x7f]/g, escapeUnit);
      }
    },
  },
};
const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

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
  // Names and structure stay as they are: a stack trace from somebody's CI can be read.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  plugins: [leanOpenai, asciiOnly],
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
    codeSplitting: { groups },
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
