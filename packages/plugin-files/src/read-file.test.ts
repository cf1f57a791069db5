import { Buffer } from "node:buffer";
import { execFileSync } from "node:child_process";
import { appendFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { type ToolResult, textOf } from "@toycoder/core";
import { runTool, tempWorkspace, toolBench } from "@toycoder/testing";
import { describe, expect, test } from "vitest";
import { readFile } from "./read-file.ts";

async function read(content: string | Uint8Array, more: object = {}): Promise<string> {
  using workspace = tempWorkspace({ f: content });
  return textOf((await runTool(readFile, { path: "f", ...more }, { root: workspace.root })).content);
}

const codeOf = (result: ToolResult): string => (result.ok ? "ok" : result.error.code);
const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

describe("pages", () => {
  test("a small file", async () => {
    expect(await read("one\ntwo\n")).toBe("[f · lines 1-2 of 2]\n1: one\n2: two");
    expect(await read("one\r\n\r\nlast")).toBe("[f · lines 1-3 of 3]\n1: one\n2: \n3: last");
    expect(await read("\n")).toBe("[f · lines 1-1 of 1]\n1: ");
    expect(await read("")).toBe("[f · empty file]");
  });

  test("offset and limit", async () => {
    const page = await read(lines(1000), { offset: 500, limit: 2 });
    expect(page).toBe(
      "[f · lines 500-501 of 1000]\n500: line 500\n501: line 501\n[more: read on with offset 502]",
    );
    expect(await read(lines(3), { offset: 3 })).toBe("[f · lines 3-3 of 3]\n3: line 3");
    expect(await read(lines(3), { offset: 4 })).toContain(
      "(no_such_line): f has 3 lines; there is no line 4",
    );
  });

  test("every page of a file of several chunks, by way of the index", async () => {
    const text = Array.from(
      { length: 30_000 },
      (_, index) => `${index + 1} ${"x".repeat(index % 60)}\n`,
    ).join("");
    using workspace = tempWorkspace({ f: text });
    const { call } = toolBench([readFile], { root: workspace.root });
    const expected = text.split("\n");
    for (let offset = 1; offset <= 30_000; offset += 997) {
      const page = textOf((await call("read_file", { path: "f", offset, limit: 3 })).content).split("\n");
      expect(page[0]).toBe(`[f · lines ${offset}-${offset + 2} of 30000]`);
      expect(page.slice(1, 4)).toEqual([0, 1, 2].map((n) => `${offset + n}: ${expected[offset + n - 1]}`));
    }
  });

  test("a page ends early where it gets long, and says how to go on", async () => {
    const page = await read(`${"x".repeat(1000)}\n`.repeat(100));
    expect(page.length).toBeLessThan(30_000);
    expect(page).toMatch(/^\[f · lines 1-(\d+) of 100\]/);
    const [, last = ""] = /lines 1-(\d+)/.exec(page) ?? [];
    expect(page).toContain(`[more: read on with offset ${Number(last) + 1}]`);
  });

  test("the index is not used for a file that has changed", async () => {
    using workspace = tempWorkspace({ f: "a\n" });
    const { call } = toolBench([readFile], { root: workspace.root });
    await call("read_file", { path: "f" });
    appendFileSync(workspace.path("f"), "b\n");
    expect(textOf((await call("read_file", { path: "f" })).content)).toContain("2: b");
  });
});

describe("long lines", () => {
  test("are cut with a mark, and column reads on to the end", async () => {
    const line = Array.from({ length: 2000 }, (_, index) => (index % 3 === 0 ? "😀" : "é")).join("");
    using workspace = tempWorkspace({ f: `first\n${line}\nlast\n` });
    const { call } = toolBench([readFile], { root: workspace.root });
    let whole = "";
    for (let column = 1; ;) {
      const page = textOf((await call("read_file", { path: "f", offset: 2, limit: 1, column })).content);
      const found =
        /^2: (.*?)(?:… \[line cut: \d+ bytes more; read on with offset 2, column (\d+)\])?$/mu.exec(page);
      whole += found?.[1] ?? "";
      if (found?.[2] === undefined) break;
      column = Number(found[2]);
    }
    expect(whole).toBe(line);
  });

  test("an emoji at the cut is not torn", async () => {
    for (let pad = 1996; pad <= 2000; pad++) {
      const page = await read(`${"x".repeat(pad)}😀${"y".repeat(50)}`);
      expect(page).not.toContain("\uFFFD");
      expect(page).toMatch(pad <= 1996 ? /😀… \[line cut/ : /x… \[line cut/);
    }
  });

  test("5 MB in one line", async () => {
    const page = await read("x".repeat(5_000_000), { column: 4_999_999 });
    expect(page).toBe("[f · lines 1-1 of 1]\n1: xx");
  });
});

describe("encodings", () => {
  test("a byte order mark is not shown", async () => {
    expect(await read("\uFEFFone\ntwo")).toBe("[f · lines 1-2 of 2]\n1: one\n2: two");
  });

  test.each(["utf-16le", "utf-16be"] as const)("%s", async (encoding) => {
    const bytes = Buffer.from("\uFEFFeins\r\n漢\u0A0A字\u0A00\u000D\n😀\n", "utf16le");
    const page = await read(encoding === "utf-16le" ? bytes : bytes.swap16());
    expect(page).toBe(
      `[f · lines 1-3 of 3 · ${encoding.toUpperCase()}]\n1: eins\n2: 漢\u0A0A字\u0A00\n3: 😀`,
    );
  });

  test("Latin-1 is shown as such, a few broken bytes in UTF-8 as U+FFFD", async () => {
    expect(await read(Buffer.from("caf\xe9\n", "latin1"))).toBe(
      "[f · lines 1-1 of 1 · not UTF-8, shown as Latin-1]\n1: café",
    );
    const broken = Buffer.concat([Buffer.from("漢字かな\n"), Buffer.from([0xed, 0xa0]), Buffer.from("\n")]);
    expect(await read(broken)).toContain("1: 漢字かな\n2: \uFFFD");
  });
});

describe("what is not text", () => {
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );

  test("an image is an image part", async () => {
    using workspace = tempWorkspace({
      "a.png": png,
      "b.txt": Buffer.from("GIF89a\0\0"),
      "d.jpg": Buffer.from("\xff\xd8\xff\xe0\0\x10JFIF", "latin1"),
      "c.webp": Buffer.from("RIFF\0\0\0\0WEBPVP8 "),
    });
    const { call } = toolBench([readFile], { root: workspace.root });
    const { content } = await call("read_file", { path: "a.png" });
    expect(content).toEqual([
      { type: "text", text: "[a.png · image/png]" },
      { type: "image", mediaType: "image/png", data: png.toString("base64") },
    ]);
    expect((await call("read_file", { path: "b.txt" })).content[1]).toMatchObject({ mediaType: "image/gif" });
    expect((await call("read_file", { path: "d.jpg" })).content[1]).toMatchObject({
      mediaType: "image/jpeg",
    });
    expect((await call("read_file", { path: "c.webp" })).content[1]).toMatchObject({
      mediaType: "image/webp",
    });
  });

  test("a large image is refused with its size", async () => {
    const text = await read(Buffer.concat([png, Buffer.alloc(4_000_000)]));
    expect(text).toMatch(/\(image_too_large\): f is a image\/png of 3\.8 MB/);
  });

  test.each([
    ["%PDF-1.7\n\0", "a PDF", "pdftotext"],
    ["%PDF-1.4\n1 0 obj\n<< >>\nendobj\n", "a PDF", "pdftotext"],
    ["PK\x03\x04\0", "a ZIP archive", "unzip"],
    ["\x7fELF\0", "an ELF program", ""],
    ["a\0b", "binary data", ""],
  ])("%j: type, size and what to use", async (content, name, hint) => {
    const text = await read(Buffer.from(content, "latin1"));
    expect(text).toContain(`(binary_file): f is ${name}`);
    expect(text).toContain(`${content.length} B`);
    expect(text).toContain(hint);
  });

  test("a notebook is shown with a word on it", async () => {
    using workspace = tempWorkspace({ "n.ipynb": '{"cells":[]}' });
    const result = await runTool(readFile, { path: "n.ipynb" }, { root: workspace.root });
    expect(textOf(result.content)).toContain("its JSON source");
    expect(textOf(result.content)).toContain("nbconvert");
  });

  test("folders, FIFOs, sockets and devices are refused at once", async () => {
    using workspace = tempWorkspace({ "dir/x": "" });
    execFileSync("mkfifo", [workspace.path("pipe")]);
    symlinkSync("pipe", workspace.path("to-pipe"));
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(workspace.path("socket"), resolve));
    const policy = { allow: ["read:/dev/zero"] };
    const { call } = toolBench([readFile], { root: workspace.root, policy });
    const expected = {
      dir: "is_directory",
      pipe: "not_a_file",
      "to-pipe": "not_a_file",
      socket: "not_a_file",
      "/dev/zero": "not_a_file",
    };
    for (const [path, code] of Object.entries(expected))
      expect(codeOf(await call("read_file", { path }))).toBe(code);
    await new Promise((resolve) => server.close(resolve));
  });
});

describe("places", () => {
  test("missing: the nearest names, without what rules hide", async () => {
    using workspace = tempWorkspace({
      "src/server.ts": "",
      "src/secret.ts": "",
      "re\u0301sume\u0301.md": "",
    });
    const { call } = toolBench([readFile], { root: workspace.root, policy: { deny: ["read:secret*"] } });
    const hint = async (path: string): Promise<string | undefined> => {
      const result = await call("read_file", { path });
      return result.ok ? undefined : result.error.hint;
    };
    expect(await hint("src/sever.ts")).toBe("did you mean src/server.ts?");
    expect(await hint("r\u00E9sum\u00E9.md")).toBe(
      "did you mean re\u0301sume\u0301.md (in other Unicode form)?",
    );
    expect(await hint("nowhere/server.ts")).toBe("there is no folder nowhere either");
  });

  test("links: inside they are followed, outside refused, dangling ones and circles missing", async () => {
    using workspace = tempWorkspace({ real: "x" });
    using outside = tempWorkspace({ f: "secret" });
    symlinkSync("real", workspace.path("in"));
    symlinkSync(outside.path("f"), workspace.path("out"));
    symlinkSync("gone", workspace.path("dangling"));
    symlinkSync("circle", workspace.path("circle"));
    const { call } = toolBench([readFile], { root: workspace.root });
    expect(codeOf(await call("read_file", { path: "in" }))).toBe("ok");
    expect(codeOf(await call("read_file", { path: "out" }))).toBe("outside_workspace");
    expect(codeOf(await call("read_file", { path: "dangling" }))).toBe("not_found");
    expect(codeOf(await call("read_file", { path: "circle" }))).toBe("invalid_path");
  });

  test("a file without a size, as under /proc", async () => {
    using workspace = tempWorkspace();
    const { call } = toolBench([readFile], { root: workspace.root, policy: { allow: ["read:/proc/**"] } });
    const result = await call("read_file", { path: `/proc/${process.pid}/status`, limit: 1 });
    expect(textOf(result.content)).toMatch(/lines 1-1 of \d\d+\]\n1: Name:/);
  });

  test("a result that is kept in the session, also where rules deny reads", async () => {
    using workspace = tempWorkspace();
    const bench = toolBench([readFile], { root: workspace.root, policy: { deny: ["read:**"] } });
    const name = await bench.session.spills.write("out.txt", lines(300));
    const result = await bench.call("read_file", { path: name, offset: 299 });
    expect(textOf(result.content)).toBe(
      "[session:out.txt · lines 299-300 of 300]\n299: line 299\n300: line 300",
    );
    expect(codeOf(await bench.call("read_file", { path: "session:none" }))).toBe("not_found");
    expect(codeOf(await bench.call("read_file", { path: "session:../x" }))).toBe("not_found");
    bench.session.dispose();
  });

  test("a kept result whose folder lies behind a link", async () => {
    using workspace = tempWorkspace({ "state/x": "" });
    symlinkSync("state", workspace.path("link"));
    const { TMPDIR } = process.env;
    process.env.TMPDIR = workspace.path("link");
    const bench = toolBench([readFile], { root: workspace.root });
    const name = await bench.session.spills.write("out.txt", "x");
    const result = await bench.call("read_file", { path: name });
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    expect(textOf(result.content)).toBe("[session:out.txt · lines 1-1 of 1]\n1: x");
    bench.session.dispose();
  });

  test("a cancelled call stops counting lines", async () => {
    using workspace = tempWorkspace();
    writeFileSync(workspace.path("f"), Buffer.alloc(50_000_000, "x\n"));
    const controller = new AbortController();
    const pending = runTool(readFile, { path: "f" }, { root: workspace.root });
    const cancelled = toolBench([readFile], { root: workspace.root }).call(
      "read_file",
      { path: "f" },
      controller.signal,
    );
    controller.abort();
    expect(codeOf(await cancelled)).toBe("cancelled");
    expect(codeOf(await pending)).toBe("ok");
  });
});
