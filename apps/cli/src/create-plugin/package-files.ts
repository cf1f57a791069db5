import type { PluginPlan } from "./plugin-plan.ts";
import { VERSIONS } from "./versions.ts";

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** What makes the package, beside its source: path → text. */
export function packageFiles(plan: PluginPlan): Record<string, string> {
  return {
    "package.json": json(manifest(plan)),
    "tsconfig.json": json(TSCONFIG),
    "tsconfig.build.json": json({
      extends: "./tsconfig.json",
      compilerOptions: { noEmit: false, rootDir: "src", outDir: "dist", declaration: true },
      exclude: ["src/**/*.test.ts"],
    }),
    ".gitignore": "node_modules/\ndist/\n*.tgz\n.env\n",
    ".changeset/config.json": json({
      $schema: "https://unpkg.com/@changesets/config/schema.json",
      changelog: "@changesets/cli/changelog",
      commit: false,
      access: "public",
      baseBranch: "main",
    }),
    ".changeset/README.md": CHANGESETS,
    ".github/workflows/test.yml": TEST_WORKFLOW,
    ".github/workflows/release.yml": RELEASE_WORKFLOW,
    "scripts/sync-version.mjs": SYNC_VERSION,
  };
}

function manifest({ name, description, version, repository }: PluginPlan): object {
  const caret = (wanted: string): string => `^${wanted}`;
  return {
    name: name.package,
    version: "0.1.0",
    description,
    keywords: ["toycoder", "toycoder-plugin"],
    license: "MIT",
    ...(repository !== undefined && { repository: { type: "git", url: repository } }),
    type: "module",
    sideEffects: false,
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
    files: ["dist"],
    publishConfig: { access: "public" },
    scripts: {
      build: "tsc -p tsconfig.build.json",
      typecheck: "tsc",
      test: 'node --test "src/**/*.test.ts"',
      check: "npm run build && toycoder plugin check --strict",
      prepublishOnly: "npm run build",
      changeset: "changeset",
      bump: "changeset version && node scripts/sync-version.mjs",
      release: "npm run typecheck && npm test && npm run check && changeset publish",
    },
    dependencies: { zod: caret(VERSIONS.zod) },
    peerDependencies: { "@toycoder/core": caret(version) },
    devDependencies: {
      "@changesets/cli": caret(VERSIONS["@changesets/cli"]),
      "@toycoder/core": caret(version),
      "@toycoder/testing": caret(version),
      "@types/node": caret(VERSIONS["@types/node"]),
      toycoder: caret(version),
      typescript: caret(VERSIONS.typescript),
    },
    engines: { node: ">=22.18" },
  };
}

const TSCONFIG = {
  compilerOptions: {
    target: "es2024",
    lib: ["es2024"],
    types: ["node"],
    module: "nodenext",
    strict: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    rewriteRelativeImportExtensions: true,
    resolveJsonModule: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ["src"],
};

const CHANGESETS = `# Changes

\`npm run changeset\` writes a file here for each change that users notice. The release workflow collects them into a
pull request that sets the version and writes CHANGELOG.md; merging that publishes the package.
`;

const TEST_WORKFLOW = `name: test
on:
  push:
    branches: [main]
  pull_request:
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 24
      - run: npm ci
      - run: npm run typecheck
      - run: npm test
      - run: npm run check
`;

const RELEASE_WORKFLOW = `name: release
on:
  push:
    branches: [main]
concurrency:
  group: release
permissions:
  contents: write # tags and releases
  pull-requests: write # the pull request that sets the version
  id-token: write # provenance: npm shows which commit and workflow the package came from
jobs:
  release:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - uses: actions/setup-node@v4
        with:
          node-version: 24
      - run: npm ci
      - uses: changesets/action@v1
        with:
          version: npm run bump
          publish: npm run release
        env:
          GITHUB_TOKEN: \${{ secrets.GITHUB_TOKEN }}
          NPM_TOKEN: \${{ secrets.NPM_TOKEN }}
          NPM_CONFIG_PROVENANCE: "true"
`;

const SYNC_VERSION = `// After \`changeset version\`: the version that the plugin tells of itself becomes its package's.
import { readFileSync, writeFileSync } from "node:fs";

const source = new URL("../src/plugin.ts", import.meta.url);
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const text = readFileSync(source, "utf8").replace(/^(\\s*version: ")[^"]*(",)$/m, \`$1\${version}$2\`);
if (!text.includes(\`version: "\${version}",\`)) throw new Error("src/plugin.ts tells no version");
writeFileSync(source, text);
`;
