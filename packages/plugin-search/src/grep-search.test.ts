import { Buffer } from "node:buffer";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { type ToolResult, textOf } from "@toycoder/core";
import {
  hasProgram,
  tempWorkspace,
  type TempWorkspace,
  toolBench,
  type ToolBenchOptions,
} from "@toycoder/testing";
import { rgPath } from "@vscode/ripgrep";
import { describe, expect, test } from "vitest";
import { grepSearch, makeGrepSearch } from "./grep-search.ts";

async function call(
  workspace: TempWorkspace,
  args: object,
  policy?: ToolBenchOptions["policy"],
): Promise<ToolResult> {
  const bench = toolBench([grepSearch], { root: workspace.root, ...(policy && { policy }) });
  return await bench.call("grep_search", { ...args });
}

async function grep(
  files: Record<string, string | Uint8Array>,
  args: object,
  policy?: ToolBenchOptions["policy"],
) {
  using workspace = tempWorkspace(files);
  return textOf((await call(workspace, args, policy)).content);
}

const codeOf = (result: ToolResult): string => (result.ok ? "ok" : result.error.code);

describe("what comes back", () => {
  test("lines with their places, sorted by path", async () => {
    const files = { "b/2.ts": "x\nfoo 2\n", "a.ts": "foo 1\n", "b/1.ts": "foo\nfoo", "c.ts": "bar" };
    expect(await grep(files, { pattern: "foo" })).toBe(
      "[4 matching lines in 3 files]\na.ts:1: foo 1\nb/1.ts:1: foo\nb/1.ts:2: foo\nb/2.ts:2: foo 2",
    );
  });

  test("limit cuts after sorting and says how many more", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`f${10 + index}`, "foo\nfoo\n"]),
    );
    expect(await grep(files, { pattern: "foo", limit: 3 })).toBe(
      "[60 matching lines in 30 files; the first 3, 57 more]\nf10:1: foo\nf10:2: foo\nf11:1: foo",
    );
  });

  test("context", async () => {
    const text = Array.from({ length: 20 }, (_, index) => (index % 9 === 1 ? "foo" : `l${index + 1}`)).join(
      "\n",
    );
    expect(await grep({ f: text }, { pattern: "foo", context: 1, limit: 2 })).toBe(
      "[3 matching lines in 1 file; the first 2, 1 more]\nf-1- l1\nf:2: foo\nf-3- l3\n--\nf-10- l10\nf:11: foo\nf-12- l12",
    );
  });

  test("files and counts", async () => {
    const files = { a: "foo\nfoo\n", b: "foo\r\n", c: "" };
    expect(await grep(files, { pattern: "foo", output_mode: "files" })).toBe(
      "[3 matching lines in 2 files]\na\nb",
    );
    expect(await grep(files, { pattern: "foo", output_mode: "count", limit: 1 })).toBe(
      "[3 matching lines in 2 files; the first 1 files, 1 more]\na: 2",
    );
  });

  test("no match", async () => {
    expect(await grep({ a: "x" }, { pattern: "foo" })).toBe("[no matches in .]");
  });

  test("a long line is cut around the match, an emoji is not torn", async () => {
    const text = await grep({ f: `${"😀".repeat(500_000)}foo${"😀".repeat(700_000)}` }, { pattern: "foo" });
    expect(text).toMatch(/^\[1 matching line in 1 file\]\nf:1: …😀+foo😀+…$/u);
    expect(text.length).toBeLessThan(600);
  });

  test("paths: spaces, %20, brackets, line feeds, CJK in both forms", async () => {
    const names = ["a b%20.ts", "(group)/[id].tsx", "new\nline", "漢字", "u\u0308", "\u00FC", "-dash"];
    const text = await grep(Object.fromEntries(names.map((name) => [name, "foo"])), { pattern: "foo" });
    const shown = names.toSorted().map((name) => (name.includes("\n") ? JSON.stringify(name) : name));
    expect(text.split("\n").slice(1)).toEqual(shown.map((name) => `${name}:1: foo`));
  });

  test("bracket and group names as path and as include", async () => {
    const files = { "app/[id].tsx": "foo", "app/i.tsx": "foo", "app/(group)/page.tsx": "foo" };
    const found = async (args: object): Promise<string[]> =>
      (await grep(files, { pattern: "foo", output_mode: "files", ...args })).split("\n").slice(1);
    expect(await found({ path: "app/[id].tsx" })).toEqual(["app/[id].tsx"]);
    expect(await found({ path: "app/(group)" })).toEqual(["app/(group)/page.tsx"]);
    expect(await found({ include: "app/(group)/*" })).toEqual(["app/(group)/page.tsx"]);
    expect(await found({ include: "[id].tsx" })).toContain("app/[id].tsx");
  });

  test("5 MB in one line", async () => {
    const text = await grep(
      { "min.js": `${"x".repeat(2_500_000)}foo${"y".repeat(2_500_000)}` },
      { pattern: "foo" },
    );
    expect(text).toMatch(/^\[1 matching line in 1 file\]\nmin\.js:1: …x{120}fooy+…$/);
  });

  test("a name that is not UTF-8 doesn't stop the search", async () => {
    using workspace = tempWorkspace({ b: "foo" });
    execFileSync("sh", ["-c", String.raw`printf foo > "$(printf 'a\377')"`], { cwd: workspace.root });
    const note =
      "[1 path with bytes that are not UTF-8, shown as \uFFFD: no tool can open that; rename with a command]";
    expect(textOf((await call(workspace, { pattern: "foo" })).content)).toMatch(
      new RegExp(`files\\]\na\uFFFD:1: foo\nb:1: foo\n${note.replaceAll(/[[\];]/g, "\\$&")}$`),
    );
    const long = String.raw`yes x | head -c 3000 | tr -d '\n' > "$(printf 'c\377')"; printf foo >> "$(printf 'c\377')"`;
    execFileSync("sh", ["-c", long], { cwd: workspace.root });
    expect(textOf((await call(workspace, { pattern: "foo" })).content)).toContain("c\uFFFD:1: xxx");
  });
});

describe("which files", () => {
  test("ignored, skipped and binary ones are left out, dotfiles are not", async () => {
    const files = {
      ".gitignore": "*.log\ndist/\n",
      "x.log": "foo",
      "dist/x.js": "foo",
      "node_modules/p/i.js": "foo",
      ".venv/x.py": "foo",
      ".git/config": "foo",
      ".github/ci.yml": "foo",
      "bin.dat": Buffer.from("foo\n\0foo\n"),
      "late.dat": Buffer.concat([Buffer.from("foo\n"), Buffer.alloc(200_000, "x"), Buffer.from("\0foo\n")]),
      "src/a.ts": "foo",
    };
    expect(await grep(files, { pattern: "foo" })).toBe(
      "[2 matching lines in 2 files]\n.github/ci.yml:1: foo\nsrc/a.ts:1: foo",
    );
    const named = await grep(files, { pattern: "foo", path: "node_modules/p" });
    expect(named).toContain("node_modules/p/i.js:1: foo");
    expect(await grep(files, { pattern: "foo", path: "dist" })).toContain("dist/x.js:1: foo");
    expect(await grep(files, { pattern: "foo", path: "x.log" })).toContain("x.log:1: foo");
    expect(await grep(files, { pattern: "foo", path: "bin.dat" })).toBe("[no matches in bin.dat]");
  });

  test("include: several globs, braces, exclusions, folders; it brings no ignored file back", async () => {
    const files = {
      "a.ts": "foo",
      "b.tsx": "foo",
      "c.js": "foo",
      "a.test.ts": "foo",
      "src/d.ts": "foo",
      "lib/e.ts": "foo",
      "x.min.ts": "foo",
      ".gitignore": "*.min.ts",
    };
    const found = async (include: string, path = "."): Promise<string[]> =>
      (await grep(files, { pattern: "foo", include, path, output_mode: "files" })).split("\n").slice(1);
    expect(await found("*.{ts,tsx},!*.test.ts")).toEqual(["a.ts", "b.tsx", "lib/e.ts", "src/d.ts"]);
    expect(await found("src/**,*.js")).toEqual(["c.js", "src/d.ts"]);
    expect(await found("./*.ts")).toEqual(["a.test.ts", "a.ts"]);
    expect(await found("*.ts", "src")).toEqual(["src/d.ts"]);
    expect(await found("!*.ts")).toEqual(["b.tsx", "c.js"]);
  });

  test("file_type, alone and with include", async () => {
    const files = { "a.ts": "foo", "b.py": "foo", "c/d.py": "foo" };
    const modes = { pattern: "foo", output_mode: "files" };
    expect(await grep(files, { ...modes, file_type: "py" })).toBe(
      "[2 matching lines in 2 files]\nb.py\nc/d.py",
    );
    expect(await grep(files, { ...modes, file_type: "py", include: "c/*" })).toBe(
      "[1 matching line in 1 file]\nc/d.py",
    );
    expect(await grep(files, { pattern: "foo", file_type: "nope" })).toContain("(invalid_file_type)");
  });

  test("what read rules deny is not searched; the count doesn't tell whether it matched", async () => {
    const files = { ".env": "KEY=foo", "secret/a": "foo", "src/b": "foo" };
    const policy = { deny: ["read:.env*", "read:secret/**"] };
    const expected = "[1 matching line in 1 file]\nsrc/b:1: foo\n[2 files hidden by permission rules]";
    expect(await grep(files, { pattern: "foo" }, policy)).toBe(expected);
    expect(await grep(files, { pattern: "zzz" }, policy)).toBe(
      "[no matches in .]\n[2 files hidden by permission rules]",
    );
    expect(await grep(files, { pattern: "foo", path: "secret" }, policy)).toContain("permission_denied");
    expect(await grep(files, { pattern: "foo", path: ".env" }, policy)).toContain("permission_denied");
  });

  test("links are not followed, broken ones don't matter", async () => {
    using workspace = tempWorkspace({ "real/a": "foo" });
    using outside = tempWorkspace({ b: "foo" });
    symlinkSync("real", workspace.path("link"));
    symlinkSync(outside.root, workspace.path("out"));
    symlinkSync("nowhere", workspace.path("dangling"));
    expect(textOf((await call(workspace, { pattern: "foo" })).content)).toBe(
      "[1 matching line in 1 file]\nreal/a:1: foo",
    );
    expect(codeOf(await call(workspace, { pattern: "foo", path: "out" }))).toBe("outside_workspace");
    expect(codeOf(await call(workspace, { pattern: "foo", path: "dangling" }))).toBe("not_found");
    expect(textOf((await call(workspace, { pattern: "foo", path: "link" })).content)).toContain(
      "link/a:1: foo",
    );
  });

  test("UTF-16 is searched too", async () => {
    expect(
      await grep({ f: Buffer.from("\uFEFFone\r\nfoo 漢\r\n", "utf16le") }, { pattern: "foo" }),
    ).toContain("f:2: foo 漢");
  });
});

describe("patterns", () => {
  test.each([
    ["-e", {}, "-e foo"],
    ["--files", {}, "--files"],
    ["a.c(", { fixed_strings: true }, "a.c("],
    ["FOO", { ignore_case: true }, "-e foo"],
    ["foo$", {}, "-e foo"],
    ["(?<=-e )foo", {}, "-e foo"],
    [String.raw`(.)\1c`, {}, "aac"],
    ["one\ntwo", {}, "one"],
    ["one.*two", { multiline: true }, "one"],
    ["漢+", {}, "漢漢"],
  ])("%j %j", async (pattern, more, expected) => {
    const text = "abc\r\n-e foo\r\n--files\r\na.c(\r\naac\r\none\ntwo\n漢漢\n";
    expect((await grep({ f: text }, { pattern, ...more })).split("\n")[1]).toMatch(
      new RegExp(`: ${expected.replaceAll(/[.(]/g, "\\$&")}`),
    );
  });

  test.each([
    ["foo(", "unclosed group, at character 4: foo⟪here⟫("],
    ["a[b", "unclosed character class, at character 2: a⟪here⟫[b"],
    ["x{2,1}", "at character 2: x⟪here⟫{2,1}"],
    ["(?=x", "missing closing parenthesis, at character 5"],
    ["", "empty"],
    ["a\0b", "NUL"],
  ])("%j is refused with the place", async (pattern, message) => {
    const text = await grep({ f: "x" }, { pattern });
    expect(text).toContain("(invalid_regex)");
    expect(text).toContain(message);
  });
});

describe("failures", () => {
  test("a missing root", async () => {
    using workspace = tempWorkspace();
    expect(codeOf(await call(workspace, { pattern: "x", path: "nope" }))).toBe("not_found");
  });

  /** A stand-in for ripgrep, for what the real one can't be brought to do on demand. */
  function fake(workspace: TempWorkspace, script: string): string {
    const program = workspace.write("fake-rg", `#!/bin/sh\n${script}\n`);
    chmodSync(program, 0o755);
    return program;
  }

  test("partial results are called incomplete", async () => {
    using workspace = tempWorkspace();
    const script = String.raw`printf './a\0001:foo\n'; echo 'rg: ./b: Permission denied (os error 13)' >&2; exit 2`;
    const tool = makeGrepSearch({ ripgrepPath: fake(workspace, script) });
    const result = await toolBench([tool], { root: workspace.root }).call("grep_search", { pattern: "foo" });
    expect(textOf(result.content)).toBe(
      "[1 matching line in 1 file]\na:1: foo\n[incomplete: 1 place could not be read: ./b: Permission denied (os error 13)]",
    );
  });

  const isRoot = process.getuid?.() === 0;

  test.skipIf(isRoot && !hasProgram("setpriv"))(
    "an unreadable folder is counted and named, not fatal",
    async () => {
      using workspace = tempWorkspace({ "open/a": "foo", "closed/b": "foo" });
      for (const folder of ["closed", "."]) chmodSync(workspace.path(folder), folder === "." ? 0o755 : 0o700);
      if (!isRoot) chmodSync(workspace.path("closed"), 0);
      // Root may read everything, so ripgrep is run as nobody then.
      const script = `exec setpriv --reuid=65534 --regid=65534 --clear-groups '${rgPath}' "$@"`;
      const tool = makeGrepSearch(isRoot ? { ripgrepPath: fake(workspace, script) } : {});
      const result = await toolBench([tool], { root: workspace.root }).call("grep_search", {
        pattern: "foo",
        include: "[ab]",
      });
      if (!isRoot) chmodSync(workspace.path("closed"), 0o700);
      expect(textOf(result.content)).toMatch(
        /^\[1 matching line in 1 file\]\nopen\/a:1: foo\n\[incomplete: 1 place could not be read: \.\/closed: Permission denied/,
      );
    },
  );

  test("a failure is never an empty result", async () => {
    using workspace = tempWorkspace();
    for (const script of ["echo 'rg: something broke' >&2; exit 2", "exit 3", "kill -9 $$"]) {
      const tool = makeGrepSearch({ ripgrepPath: fake(workspace, script) });
      const result = await toolBench([tool], { root: workspace.root }).call("grep_search", {
        pattern: "foo",
      });
      expect(codeOf(result)).toBe("search_failed");
    }
  });

  test("at the time limit it says incomplete, and no process is left", async () => {
    using workspace = tempWorkspace();
    mkdirSync(workspace.path("alive"));
    const script = String.raw`printf './a\0001:foo\n'; sleep 1000 & echo $! > alive/pid; wait`;
    const tool = makeGrepSearch({ ripgrepPath: fake(workspace, script), timeoutSeconds: 0.5 });
    const result = await toolBench([tool], { root: workspace.root }).call("grep_search", { pattern: "foo" });
    expect(textOf(result.content)).toMatch(
      /^\[1 matching line in 1 file\]\na:1: foo\n\[incomplete: stopped after 0\.5 s/,
    );
    expect(isAlive(workspace.read("alive/pid"))).toBe(false);
  });

  test("a cancelled call ends the process", async () => {
    using workspace = tempWorkspace();
    const script = "echo $$ > pid.tmp; mv pid.tmp pid; sleep 1000";
    const tool = makeGrepSearch({ ripgrepPath: fake(workspace, script) });
    const controller = new AbortController();
    const running = toolBench([tool], { root: workspace.root }).call(
      "grep_search",
      { pattern: "x" },
      controller.signal,
    );
    await expect.poll(() => existsSync(workspace.path("pid")), { timeout: 10_000, interval: 5 }).toBe(true);
    const pid = workspace.read("pid");
    controller.abort();
    expect(codeOf(await running)).toBe("cancelled");
    await expect.poll(() => isAlive(pid), { timeout: 10_000, interval: 5 }).toBe(false);
  });

  test("without the program: what to do", async () => {
    using workspace = tempWorkspace();
    const tool = makeGrepSearch({ ripgrepPath: "/nowhere/rg" });
    const result = await toolBench([tool], { root: workspace.root }).call("grep_search", { pattern: "x" });
    expect(codeOf(result)).toBe("ripgrep_missing");
    expect(textOf(result.content)).toContain("ripgrepPath");
  });
});

function isAlive(pid: string): boolean {
  try {
    process.kill(Number(pid), 0);
    // A zombie still has a number; it runs nothing any more.
    return !/^State:\s+Z/m.test(execFileSync("cat", [`/proc/${Number(pid)}/status`], { encoding: "utf8" }));
  } catch {
    return false;
  }
}
