import { Buffer } from "node:buffer";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dispatchAll, type ToolResult, textOf } from "@toycoder/core";
import { tempWorkspace, type TempWorkspace, toolBench, type ToolBench } from "@toycoder/testing";
import { describe, expect, test } from "vitest";
import { editFile, makeEditFile } from "./edit-file.ts";
import { readFile } from "./read-file.ts";
import { writeFile } from "./write-file.ts";

const bench = (workspace: TempWorkspace): ToolBench =>
  toolBench([editFile, readFile, writeFile], { root: workspace.root });

async function edit(content: string | Uint8Array, old_string: string, new_string: string, more = {}) {
  using workspace = tempWorkspace({ f: content });
  const result = await bench(workspace).call("edit_file", { path: "f", old_string, new_string, ...more });
  return {
    result,
    bytes: readFileSync(workspace.path("f")),
    text: textOf(result.content),
    files: readdirSync(workspace.root),
  };
}

const codeOf = (result: ToolResult): string => (result.ok ? "ok" : result.error.code);

describe("bytes outside of the match", () => {
  test("mixed line ends stay, and an LF old_string finds them", async () => {
    const { bytes } = await edit("a\r\nb\nc\rd\r\ne", "a\nb\nc", "A\nB\nC");
    expect(bytes.toString()).toBe("A\r\nB\nC\rd\r\ne");
  });

  test("a byte order mark stays", async () => {
    expect((await edit("\uFEFFone\r\n", "one", "two")).bytes.toString()).toBe("\uFEFFtwo\r\n");
  });

  test.each(["utf-16le", "utf-16be"] as const)("%s is edited as it is", async (encoding) => {
    const encode = (text: string): Buffer => {
      const bytes = Buffer.from(`\uFEFF${text}`, "utf16le");
      return encoding === "utf-16le" ? bytes : bytes.swap16();
    };
    const { bytes, text } = await edit(encode("eins 漢字\r\nzwei 😀\r\n"), "字\nzwei", "\nZWEI €");
    expect(bytes.equals(encode("eins 漢\r\nZWEI € 😀\r\n"))).toBe(true);
    expect(text).toContain("+ZWEI € 😀");
  });

  test("lone surrogate bytes and other broken UTF-8 stay", async () => {
    const content = Buffer.concat([
      Buffer.from("x = 1;\n"),
      Buffer.from([0xed, 0xa0, 0x80, 0xff]),
      Buffer.from("\ny\n"),
    ]);
    const { bytes } = await edit(content, "x = 1", "x = 2");
    expect(bytes.equals(Buffer.concat([Buffer.from("x = 2;\n"), content.subarray(7)]))).toBe(true);
  });

  test("Latin-1: ASCII is spliced, anything else refused with the byte", async () => {
    const content = Buffer.from("const x=1 // caf\xe9", "latin1");
    expect((await edit(content, "1", "2")).bytes.toString("latin1")).toBe("const x=2 // caf\xe9");
    expect((await edit(content, "x=1", "x=$&")).bytes.toString("latin1")).toBe("const x=$& // caf\xe9");
    const refused = await edit(content, "café", "tea");
    expect(codeOf(refused.result)).toBe("unsafe_encoding");
    expect(refused.text).toContain("byte 16 is 0xe9");
    expect(refused.bytes.equals(content)).toBe(true);
    expect(codeOf((await edit(content, "x=1", "x=é")).result)).toBe("unsafe_encoding");
  });

  test("GBK: the second byte of a character is no match", async () => {
    const content = Buffer.from([0xb5, 0x5c, 0x20, 0x5c, 0x0a]);
    const both = await edit(content, "\\", "/");
    expect(codeOf(both.result)).toBe("several_matches");
    const first = await edit(content.subarray(0, 3), "\\", "/");
    expect(first.text).toContain("may begin inside a character, at byte 1");
  });

  test("mode, missing final newline and curly quotes stay", async () => {
    using workspace = tempWorkspace({ "run.sh": "#!/bin/sh\necho “hi”" });
    chmodSync(workspace.path("run.sh"), 0o755);
    const result = await bench(workspace).call("edit_file", {
      path: "run.sh",
      old_string: "hi",
      new_string: "ho",
    });
    expect(result.ok).toBe(true);
    expect(workspace.read("run.sh")).toBe("#!/bin/sh\necho “ho”");
    expect(statSync(workspace.path("run.sh")).mode & 0o777).toBe(0o755);
  });

  test("the mode doesn't depend on the umask", async () => {
    using workspace = tempWorkspace({ a: "x", b: "x" });
    chmodSync(workspace.path("a"), 0o666);
    chmodSync(workspace.path("b"), 0o600);
    const { call } = bench(workspace);
    for (const path of ["a", "b"]) await call("edit_file", { path, old_string: "x", new_string: "y" });
    expect(statSync(workspace.path("a")).mode & 0o777).toBe(0o666);
    expect(statSync(workspace.path("b")).mode & 0o777).toBe(0o600);
  });

  test("a single line of 5 MB", async () => {
    const { bytes, text } = await edit(`${"x".repeat(5_000_000)}END`, "END", "end");
    expect(bytes.length).toBe(5_000_003);
    expect(bytes.subarray(-3).toString()).toBe("end");
    expect(text.length).toBeLessThan(2000);
  });
});

describe("matching", () => {
  test("replace_all is literal and tells how many", async () => {
    const { bytes, text } = await edit("a a\na", "a", "$&$1\\", { replace_all: true });
    expect(bytes.toString()).toBe("$&$1\\ $&$1\\\n$&$1\\");
    expect(text).toMatch(/^edited f: 3 replacements, the first in line 1/);
  });

  test("several places: their lines", async () => {
    const { result, text } = await edit("x\ny\nx\nxx", "x", "z");
    expect(codeOf(result)).toBe("several_matches");
    expect(text).toContain("4 places in f: lines 1, 3, 4, 4");
  });

  test.each([
    ["", "y", "empty_string"],
    ["x", "x", "same_strings"],
    ["\uD83D", "y", "invalid_text"],
    ["missing", "y", "no_match"],
  ])("%j to %j is refused: %s", async (from, to, code) => {
    const { result, bytes } = await edit("x", from, to);
    expect(codeOf(result)).toBe(code);
    expect(bytes.toString()).toBe("x");
  });

  test("an empty old_string: the pointer to write_file", async () => {
    expect((await edit("x", "", "y")).text).toContain("use write_file");
  });

  test("edits are applied in order, all or none", async () => {
    using workspace = tempWorkspace({ f: "one\ntwo\nthree\n" });
    const { call } = bench(workspace);
    const edits = [
      { old_string: "one", new_string: "1" },
      { old_string: "1\ntwo", new_string: "1\n2" },
    ];
    const failed = await call("edit_file", {
      path: "f",
      edits: [...edits, { old_string: "four", new_string: "4" }],
    });
    expect(codeOf(failed)).toBe("no_match");
    expect(textOf(failed.content)).toContain("edit 3 of 3: old_string is not in f");
    expect(workspace.read("f")).toBe("one\ntwo\nthree\n");
    const done = await call("edit_file", { path: "f", edits });
    expect(workspace.read("f")).toBe("1\n2\nthree\n");
    expect(textOf(done.content)).toContain("-one\n-two\n+1\n+2\n three");
  });

  test("neither form, or both", async () => {
    using workspace = tempWorkspace({ f: "x" });
    const { call } = bench(workspace);
    const both = { old_string: "x", new_string: "y", edits: [{ old_string: "x", new_string: "y" }] };
    for (const args of [{}, { old_string: "x" }, { new_string: "x" }, both]) {
      expect(codeOf(await call("edit_file", { path: "f", ...args }))).toBe("invalid_arguments");
    }
  });
});

describe("files", () => {
  test("binary, folder, missing, FIFO", async () => {
    using workspace = tempWorkspace({ "bin.dat": "a\0b", "dir/x": "", "readme.md": "" });
    execFileSync("mkfifo", [workspace.path("pipe")]);
    const { call } = bench(workspace);
    const tried = async (path: string) => await call("edit_file", { path, old_string: "a", new_string: "b" });
    expect(codeOf(await tried("bin.dat"))).toBe("binary_file");
    expect(codeOf(await tried("dir"))).toBe("is_directory");
    expect(codeOf(await tried("pipe"))).toBe("not_a_file");
    const missing = await tried("README.md");
    expect(codeOf(missing)).toBe("not_found");
    expect(textOf(missing.content)).toContain("did you mean readme.md?");
  });

  test("symbolic links: edited at the target; outside and dangling ones refused", async () => {
    using workspace = tempWorkspace({ "real/f": "x\n" });
    using outside = tempWorkspace({ f: "x\n" });
    symlinkSync("real/f", workspace.path("link"));
    symlinkSync("real", workspace.path("folder"));
    symlinkSync(outside.path("f"), workspace.path("out"));
    symlinkSync("nowhere", workspace.path("dangling"));
    const { call, changes } = bench(workspace);
    const tried = async (path: string, from: string) =>
      codeOf(await call("edit_file", { path, old_string: from, new_string: `${from}y` }));
    expect(await tried("link", "x")).toBe("ok");
    expect(await tried("folder/f", "xy")).toBe("ok");
    expect(lstatSync(workspace.path("link")).isSymbolicLink()).toBe(true);
    expect(workspace.read("real/f")).toBe("xyy\n");
    expect(changes.map(({ path }) => path.display)).toEqual(["link", "folder/f"]);
    expect(await tried("out", "x")).toBe("outside_workspace");
    expect(outside.read("f")).toBe("x\n");
    expect(await tried("dangling", "x")).toBe("not_found");
  });

  test.each([
    "[id].tsx",
    "(group)/a b%20.tsx",
    "漢字.txt",
    "\u304C.txt",
    "\u304B\u3099.txt",
    "u\u0308.txt",
    "new\nline",
  ])("the name %j", async (path) => {
    using workspace = tempWorkspace({ [path]: "x" });
    const { call } = bench(workspace);
    expect(textOf((await call("read_file", { path })).content)).toContain("1: x");
    expect(codeOf(await call("edit_file", { path, old_string: "x", new_string: "y" }))).toBe("ok");
    expect(workspace.read(path)).toBe("y");
  });

  test.runIf(process.getuid?.() === 0)("the owner stays, and with it the mode", async () => {
    using workspace = tempWorkspace({ f: "x" });
    chownSync(workspace.path("f"), 12_345, 23_456);
    chmodSync(workspace.path("f"), 0o4710);
    await bench(workspace).call("edit_file", { path: "f", old_string: "x", new_string: "y" });
    const { uid, gid, mode } = statSync(workspace.path("f"));
    expect([uid, gid, mode & 0o7777]).toEqual([12_345, 23_456, 0o4710]);
  });

  test("a hard link is parted: the other name keeps the old content", async () => {
    using workspace = tempWorkspace({ a: "x" });
    linkSync(workspace.path("a"), workspace.path("b"));
    await bench(workspace).call("edit_file", { path: "a", old_string: "x", new_string: "y" });
    expect([workspace.read("a"), workspace.read("b")]).toEqual(["y", "x"]);
  });

  test("the change is recorded whole, with the mode, and no other file is left", async () => {
    using workspace = tempWorkspace({ f: "x\n" });
    const { call, changes } = bench(workspace);
    await call("edit_file", { path: "f", old_string: "x", new_string: "y" });
    expect(changes).toMatchObject([{ path: { display: "f" }, mode: { before: 0o644, after: 0o644 } }]);
    expect([changes[0]?.before, changes[0]?.after].map(String)).toEqual(["x\n", "y\n"]);
    expect(readdirSync(workspace.root)).toEqual(["f"]);
  });
});

describe("what the session has seen", () => {
  test("changed since it was read, even within a clock tick: refused", async () => {
    using workspace = tempWorkspace({ f: "x = 1\n" });
    const { call } = bench(workspace);
    await call("read_file", { path: "f" });
    const { mtime, atime } = statSync(workspace.path("f"));
    writeFileSync(workspace.path("f"), "x = 3\n");
    const { utimesSync } = await import("node:fs");
    utimesSync(workspace.path("f"), atime, mtime);
    const stale = await call("edit_file", { path: "f", old_string: "x", new_string: "y" });
    expect(codeOf(stale)).toBe("stale_file");
    expect(workspace.read("f")).toBe("x = 3\n");
    await call("read_file", { path: "f" });
    expect(codeOf(await call("edit_file", { path: "f", old_string: "x", new_string: "y" }))).toBe("ok");
  });

  test("replaced by the same content: fine", async () => {
    using workspace = tempWorkspace({ f: "x\n", g: "x\n" });
    const { call } = bench(workspace);
    await call("read_file", { path: "f" });
    renameSync(workspace.path("g"), workspace.path("f"));
    expect(codeOf(await call("edit_file", { path: "f", old_string: "x", new_string: "y" }))).toBe("ok");
  });

  test("its own writes are no foreign change", async () => {
    using workspace = tempWorkspace();
    const { call } = bench(workspace);
    await call("write_file", { path: "f", content: "a\n" });
    expect(codeOf(await call("edit_file", { path: "f", old_string: "a", new_string: "b" }))).toBe("ok");
    expect(codeOf(await call("edit_file", { path: "f", old_string: "b", new_string: "c" }))).toBe("ok");
    expect(codeOf(await call("write_file", { path: "f", content: "d\n" }))).toBe("ok");
  });

  test.each([true, false])(
    "edits of one turn through other spellings of the path all land (read: %s)",
    async (read) => {
      using workspace = tempWorkspace({ "dir/f": "one\ntwo\nthree\nfour\n" });
      symlinkSync("dir", workspace.path("link"));
      symlinkSync("dir/f", workspace.path("file"));
      const { call, session } = bench(workspace);
      if (read) await call("read_file", { path: "dir/f" });
      const paths = ["dir/f", "./link/../link//f", workspace.path("link/f"), "file"];
      const words = ["one", "two", "three", "four"];
      const calls = paths.map((path, index) => ({
        id: `call_${index}`,
        name: "edit_file",
        arguments: { path, old_string: words[index], new_string: String(index + 1) },
      }));
      const results = await dispatchAll(calls, session);
      expect(results.map(codeOf)).toEqual(["ok", "ok", "ok", "ok"]);
      expect(workspace.read("dir/f")).toBe("1\n2\n3\n4\n");
    },
  );

  test("edits of one turn to the same text: one lands, the other says that it found nothing", async () => {
    using workspace = tempWorkspace({ f: "x = 1\n" });
    const edit = (id: string, path: string, to: string) => ({
      id,
      name: "edit_file",
      arguments: { path, old_string: "x = 1", new_string: to },
    });
    const results = await dispatchAll(
      [edit("a", "f", "x = 2"), edit("b", "./f", "x = 3")],
      bench(workspace).session,
    );
    expect(results.map(codeOf)).toEqual(["ok", "no_match"]);
    expect(workspace.read("f")).toBe("x = 2\n");
  });

  test("two sessions that edit one file: the second one's view is stale, and nothing is lost", async () => {
    using workspace = tempWorkspace({ f: "one\ntwo\n" });
    const [first, second] = [bench(workspace), bench(workspace)];
    for (const { call } of [first, second]) await call("read_file", { path: "f" });
    expect(codeOf(await first.call("edit_file", { path: "f", old_string: "one", new_string: "1" }))).toBe(
      "ok",
    );
    const args = { path: "f", old_string: "two", new_string: "2" };
    expect(codeOf(await second.call("edit_file", args))).toBe("stale_file");
    expect(workspace.read("f")).toBe("1\ntwo\n");
  });

  test("never read: a note, or with requireRead an error", async () => {
    using workspace = tempWorkspace({ f: "x" });
    const args = { path: "f", old_string: "x", new_string: "y" };
    const strict = toolBench([makeEditFile({ requireRead: true }), readFile], { root: workspace.root });
    expect(codeOf(await strict.call("edit_file", args))).toBe("not_read");
    await strict.call("read_file", { path: "f" });
    expect(codeOf(await strict.call("edit_file", args))).toBe("ok");
    mkdirSync(workspace.path("d"));
    writeFileSync(workspace.path("d/g"), "x");
    const lax = await bench(workspace).call("edit_file", { ...args, path: "d/g" });
    expect(textOf(lax.content)).toContain("it was not read in this session before");
  });
});
