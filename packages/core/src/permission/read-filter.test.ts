import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { dispatch } from "../dispatch/dispatch.ts";
import { textOf } from "../message.ts";
import { ToolRegistry } from "../registry.ts";
import { createSession } from "../session.ts";
import { defineTool } from "../tool.ts";
import { evaluate } from "./evaluate.ts";
import type { ToolFacts } from "./match.ts";
import { createPolicy } from "./policy.ts";
import { readFilter } from "./read-filter.ts";
import { createWorkspace } from "./workspace.ts";

const tool: ToolFacts = { name: "list_dir", permission: "safe", category: "file_io" };
const at = (absolute: string, real = absolute) => ({ absolute, real });

describe("readFilter", () => {
  it("is absent where no rule can hide anything", () => {
    const policy = createPolicy({
      root: "/w",
      deny: ["write:**", "exec:rm *", "read_file(/w/x)", "level:dangerous"],
    });
    expect(readFilter(policy, tool)).toBeUndefined();
  });

  it("keeps to read rules and to call rules of the tool", () => {
    const policy = createPolicy({ root: "/w", deny: ["read:.env*", "list_dir(private/**)", "write:src/**"] });
    const mayRead = readFilter(policy, tool)!;
    expect(mayRead(at("/w/src/a.ts"))).toBe(true);
    expect(mayRead(at("/w/.env"))).toBe(false);
    expect(mayRead(at("/w/deep/er/.env.local"))).toBe(false);
    expect(mayRead(at("/w/.env.d/inner"))).toBe(false);
    expect(mayRead(at("/w/private"))).toBe(false);
    expect(mayRead(at("/w/private/x"))).toBe(false);
    expect(mayRead(at("/w/privates/x"))).toBe(true);
  });

  it("looks at both sides of a link", () => {
    const mayRead = readFilter(createPolicy({ root: "/w", deny: ["read:secret/**"] }), tool)!;
    expect(mayRead(at("/w/link", "/w/secret/key"))).toBe(false);
    expect(mayRead(at("/w/secret/link", "/w/open"))).toBe(false);
    expect(mayRead(at("/", "/"))).toBe(true);
  });

  it("agrees with evaluate on every kind of pattern", () => {
    const patterns = [
      "*",
      "**",
      "a",
      "a/",
      "./a",
      "a/*",
      "a/**",
      "**/b",
      "a/**/b",
      "*.{x,y}",
      "[ab]",
      "/w",
      "/w/**/**/c",
    ];
    const names = ["a", "b", "c.x", "c"];
    const paths = ["/w", ...names.map((one) => `/w/${one}`)];
    for (const one of names) for (const two of names) paths.push(`/w/${one}/${two}`, `/w/${one}/${two}/b`);
    for (const pattern of patterns) {
      const policy = createPolicy({ root: "/w", deny: [`read:${pattern}`] });
      const mayRead = readFilter(policy, tool)!;
      for (const one of paths) {
        const effect = {
          kind: "read" as const,
          path: { ...at(one), display: one, inside: true },
          recursive: false,
          implied: false,
        };
        const { decision } = evaluate(policy, { tool, enabled: true, effects: [effect] });
        expect([pattern, one, mayRead(at(one))]).toEqual([pattern, one, decision !== "deny"]);
      }
    }
  });
});

describe("filtered effects", () => {
  const judge = (rules: { deny?: string[]; ask?: string[] }, given: string, filtered: boolean) =>
    evaluate(createPolicy({ root: "/w", ...rules }), {
      tool,
      enabled: true,
      effects: [
        {
          kind: "read",
          path: { absolute: given, real: given, display: given, inside: true },
          recursive: true,
          filtered,
          implied: false,
        },
      ],
    }).decision;

  it("are not denied for what lies beneath, others are", () => {
    expect(judge({ deny: ["read:.env*"] }, "/w", true)).toBe("allow");
    expect(judge({ deny: ["read:.env*"] }, "/w", false)).toBe("deny");
    expect(judge({ deny: ["read:secret/**"] }, "/w/secret", true)).toBe("deny");
    expect(judge({ deny: ["read:secret/**"] }, "/w/secret/sub", true)).toBe("deny");
  });

  it("still ask for what lies beneath", () => {
    expect(judge({ ask: ["read:.env*"] }, "/w", true)).toBe("ask");
  });
});

describe("ctx.mayRead", () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  it("takes relative and absolute paths and follows links", async () => {
    const root = realpathSync.native(mkdtempSync(path.join(tmpdir(), "toycoder-may-read-")));
    folders.push(root);
    mkdirSync(path.join(root, "secret"));
    writeFileSync(path.join(root, "secret/key"), "");
    symlinkSync("secret", path.join(root, "folder-link"));
    symlinkSync("secret/key", path.join(root, "file-link"));
    const registry = new ToolRegistry();
    registry.register(
      defineTool({
        name: "ask_paths",
        description: "Says which paths may be read.",
        input: z.object({ paths: z.array(z.string()) }),
        execute: ({ paths }, ctx) => paths.filter((one) => ctx.mayRead(one)).join(" "),
      }),
    );
    const policy = createPolicy({ root, deny: ["read:secret/**"] });
    const session = createSession({ registry, policy, workspace: createWorkspace({ root }) });
    const paths = [
      "open",
      "secret/key",
      "folder-link",
      "folder-link/key",
      "folder-link/new",
      "file-link",
      path.join(root, "open2"),
      path.join(root, "secret", "..", "secret", "x"),
    ];
    const result = await dispatch({ id: "1", name: "ask_paths", arguments: { paths } }, session);
    expect(textOf(result.content)).toBe(`open ${path.join(root, "open2")}`);
  });
});
