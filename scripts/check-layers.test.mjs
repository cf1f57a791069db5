import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkLayers } from "./check-layers.mjs";

let root;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "layers-"));
  pkg("core");
  pkg("agent", { dependencies: { "@toycoder/core": "workspace:^" } });
  pkg("testing", { dependencies: { "@toycoder/core": "workspace:^" } });
  pkg("plugin-x", { peerDependencies: { "@toycoder/core": "workspace:^" } });
  write("packages/core/src/errors.ts", "export const a = 1;\n");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function pkg(name, more = {}) {
  write(`packages/${name}/package.json`, JSON.stringify({ name: `@toycoder/${name}`, ...more }));
}

const found = () => checkLayers(root).map(({ place, message }) => `${place}: ${message}`);

test("this workspace keeps to the layers", () => {
  expect(checkLayers(fileURLToPath(new URL("..", import.meta.url)))).toEqual([]);
});

describe("imports between packages", () => {
  test("the allowed ones pass", () => {
    write(
      "packages/agent/src/index.ts",
      'import "node:fs";\nimport { a } from "@toycoder/core";\nexport const b = a;\n',
    );
    write("packages/agent/src/index.test.ts", 'import "vitest";\nimport "@toycoder/testing";\n');
    write(
      "packages/agent/src/text.ts",
      'export const t = `\nimport x from "@toycoder/plugin-x";\n`; // import "no"\n',
    );
    write("apps/cli/package.json", JSON.stringify({ name: "toycoder" }));
    write("apps/cli/src/index.ts", 'export { a } from "@toycoder/core";\nimport "@toycoder/agent";\n');
    expect(found()).toEqual([]);
  });

  test.each([
    [
      "packages/core/src/a.ts",
      'import { b } from "@toycoder/agent";\n',
      'core (L0) must not import "@toycoder/agent"',
    ],
    ["packages/core/src/a.ts", 'import type { B } from "@toycoder/agent";\n', "core (L0) must not import"],
    ["packages/core/src/a.test.ts", 'import "@toycoder/testing";\n', "core (L0) must not import"],
    ["packages/agent/src/a.ts", '\nconst m = await import("@toycoder/plugin-x");\n', "L1 must not import"],
    ["packages/agent/src/a.ts", 'import "toycoder";\n', 'imports "toycoder", which is not among'],
    ["packages/agent/src/a.ts", 'import "@toycoder/testing";\n', "L1 must not import"],
    ["packages/testing/src/a.ts", 'import "@toycoder/agent/x";\n', "testing (L2) must not import"],
    ["packages/agent/src/a.ts", 'import "../../core/src/errors.ts";\n', "outside of its package"],
    ["packages/agent/src/a.ts", 'import "zod";\n', 'imports "zod", which is not among the dependencies'],
    ["packages/agent/src/a.ts", 'export { a } from "@toycoder/core";\n', "re-exports"],
  ])("%s with %j fails", (path, text, message) => {
    write(path, text);
    const line = text.startsWith("\n") ? 2 : 1;
    expect(found()).toEqual([expect.stringContaining(`${path}:${line}: `)]);
    expect(found()[0]).toContain(message);
  });
});

describe("package.json", () => {
  test.each([
    ["agent", { dependencies: { "@toycoder/plugin-x": "workspace:^" } }, "L1 must not depend on"],
    ["core", { devDependencies: { "@toycoder/testing": "workspace:^" } }, "core (L0) must not depend on"],
    ["agent", { dependencies: { zod: "^4.0.0" } }, 'must be "catalog:"'],
    ["plugin-x", { dependencies: { "@toycoder/core": "workspace:^" } }, "peerDependency"],
  ])("%s with %j fails", (name, more, message) => {
    pkg(name, more);
    expect(found()).toEqual([expect.stringContaining(message)]);
  });

  test("testing is a devDependency of an L1 package at most", () => {
    pkg("agent", { devDependencies: { "@toycoder/testing": "workspace:^" } });
    expect(found()).toEqual([]);
    pkg("agent", { dependencies: { "@toycoder/testing": "workspace:^" } });
    expect(found()).toHaveLength(1);
  });
});

describe("inside core", () => {
  test("downwards passes", () => {
    write("packages/core/src/dispatch/dispatch.ts", 'import "../registry.ts";\nimport "../tool.ts";\n');
    write("packages/core/src/registry.ts", 'import "./tool.ts";\n');
    write("packages/core/src/tool.ts", 'import "./permission/level.ts";\nimport "./errors.ts";\n');
    write("packages/core/src/permission/level.ts", 'import "../errors.ts";\n');
    expect(found()).toEqual([]);
  });

  test("back up fails, also through a file without a level", () => {
    write("packages/core/src/tool.ts", 'import "./session.ts";\nimport "./free.ts";\n');
    write("packages/core/src/session.ts", 'import "./dispatch/decode.ts";\n');
    write("packages/core/src/free.ts", 'import "./permission/evaluate.ts";\n');
    write("packages/core/src/permission/evaluate.ts", "");
    write("packages/core/src/dispatch/decode.ts", "");
    expect(found()).toEqual([
      expect.stringContaining("session.ts:1: imports back up to dispatch/decode.ts"),
      expect.stringContaining("tool.ts:1: imports back up to session.ts"),
      expect.stringContaining("tool.ts:2: imports back up to permission/evaluate.ts (through free.ts)"),
    ]);
  });
});

test("export *, vague folders and long files fail", () => {
  write("packages/core/src/index.ts", 'export * from "./errors.ts";\n');
  write("packages/core/src/utils/a.ts", "export const a = 1;\n");
  write("packages/core/src/long.ts", "//\n".repeat(401));
  write("packages/core/src/just.ts", "//\n".repeat(400));
  expect(found()).toEqual([
    expect.stringContaining('utils: no folder is named "utils"'),
    expect.stringContaining("index.ts:1: `export *`"),
    expect.stringContaining("long.ts: 401 lines"),
  ]);
});
