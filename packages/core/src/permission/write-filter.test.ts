import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { dispatch } from "../dispatch/dispatch.ts";
import { textOf } from "../message.ts";
import { ToolRegistry } from "../registry.ts";
import { createSession } from "../session.ts";
import { defineTool } from "../tool.ts";
import { evaluate } from "./evaluate.ts";
import type { ToolFacts } from "./match.ts";
import { readBounds, writeBounds } from "./policy-bounds.ts";
import { createPolicy } from "./policy.ts";
import { writeFilter } from "./read-filter.ts";
import { createWorkspace } from "./workspace.ts";

const tool: ToolFacts = { name: "run_command", permission: "dangerous", category: "execution" };
const at = (absolute: string, real = absolute) => ({ absolute, real });

describe("writeFilter", () => {
  it("is absent where nothing is refused", () => {
    const policy = createPolicy({ root: "/w", deny: ["read:**", "exec:rm *", "write_file(/w/x)"] });
    expect(writeFilter(policy, tool)).toBeUndefined();
  });

  it("keeps to deny rules on writes and to protections, by both names of a path", () => {
    const policy = createPolicy({
      root: "/w",
      deny: ["write:dist/**", "run_command(vendor/**)", "read:.env"],
      protect: [".git/", "/state/"],
    });
    const mayWrite = writeFilter(policy, tool)!;
    for (const one of ["/w/dist", "/w/dist/a", "/w/vendor/a", "/w/.git/hooks/x", "/w/sub/.git", "/state/s"])
      expect([one, mayWrite(at(one))]).toEqual([one, false]);
    for (const one of ["/w", "/w/.env", "/w/src/a", "/w/.gitignore", "/states"])
      expect([one, mayWrite(at(one))]).toEqual([one, true]);
    expect(mayWrite(at("/w/link", "/w/.git/config"))).toBe(false);
  });

  it("lets a protection go for the place that an allow rule spells out, as evaluate does", () => {
    const protect = [".git/", ".toycoderrc"];
    const names = ["/w/.git", "/w/.git/x", "/w/sub/.git/x", "/w/.toycoderrc", "/w/a"];
    const rules = ["write:**", "write:./.git/**", "write:/w/.git/x", "write_file(./.git/**)", "write:.git/"];
    for (const rule of [...rules, "run_command(./sub/.git/**)"]) {
      const policy = createPolicy({ root: "/w", allow: [rule], protect });
      const mayWrite = writeFilter(policy, tool)!;
      for (const one of names) {
        const effect = {
          kind: "write" as const,
          path: { ...at(one), display: one, inside: true },
          recursive: false,
          implied: false,
        };
        const { decision } = evaluate(policy, { tool, enabled: true, effects: [effect] });
        expect([rule, one, mayWrite(at(one))]).toEqual([rule, one, decision !== "deny"]);
      }
    }
  });
});

describe("bounds", () => {
  it("say where to look", () => {
    const policy = createPolicy({
      root: "/w",
      deny: ["read:.env*", "read:/home/u/.ssh/**", "read:./keys/*.pem"],
      protect: [".git/", "**/.toycoderrc", "./a.ts"],
    });
    const reads = readBounds(policy, tool)!;
    expect(reads.places).toEqual(["/", "/home/u/.ssh", "/w/keys"]);
    expect(reads.names).toEqual([]);
    const writes = writeBounds(policy, tool)!;
    expect(writes.places).toEqual(["/", "/w", "/w/a.ts"]);
    expect(writes.names).toEqual([".git", ".toycoderrc"]);
  });

  it("say which folders need not be looked through", () => {
    const reads = readBounds(createPolicy({ root: "/w", deny: ["read:./keys/*/x"] }), tool)!;
    expect(["/w", "/w/keys", "/w/keys/a", "/w/keys/a/x"].map((one) => reads.reaches(one))).toEqual(
      Array<boolean>(4).fill(true),
    );
    expect(["/v", "/w/src", "/w/keys/a/y"].map((one) => reads.reaches(one))).toEqual([false, false, false]);
  });
});

describe("ctx.mayWrite", () => {
  const root = realpathSync.native(mkdtempSync(path.join(tmpdir(), "toycoder-may-write-")));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it("takes relative and absolute paths and follows links", async () => {
    mkdirSync(path.join(root, ".git"));
    symlinkSync(".git", path.join(root, "link"));
    const registry = new ToolRegistry();
    registry.register(
      defineTool({
        name: "ask_paths",
        description: "Says which paths may be written.",
        input: z.object({ paths: z.array(z.string()) }),
        execute: ({ paths }, ctx) => paths.filter((one) => ctx.mayWrite(one)).join(" "),
      }),
    );
    const policy = createPolicy({ root, protect: [".git/"] });
    const session = createSession({ registry, policy, workspace: createWorkspace({ root }) });
    const paths = ["open", ".git/x", "link/new", path.join(root, "link"), path.join(root, "sub", "..", "b")];
    const result = await dispatch({ id: "1", name: "ask_paths", arguments: { paths } }, session);
    expect(textOf(result.content)).toBe(`open ${path.join(root, "sub", "..", "b")}`);
  });
});
