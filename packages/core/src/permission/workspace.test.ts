import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createWorkspace } from "./workspace.ts";

const base = realpathSync(mkdtempSync(path.join(tmpdir(), "toycoder-workspace-")));
const root = path.join(base, "workspace");
mkdirSync(path.join(root, "src"), { recursive: true });
mkdirSync(path.join(base, "workspace-evil"));
mkdirSync(path.join(base, "outside"));
writeFileSync(path.join(base, "outside", "secret"), "x");
symlinkSync("../outside", path.join(root, "link"));
symlinkSync("link", path.join(root, "link2"));
symlinkSync("../outside/new.txt", path.join(root, "dangling"));
symlinkSync("loop", path.join(root, "loop"));
symlinkSync(root, path.join(base, "alias"));
afterAll(() => rmSync(base, { recursive: true }));

describe("createWorkspace", () => {
  const workspace = createWorkspace({ root });
  it.each([
    ["src/a.ts", true, "src/a.ts"],
    ["", true, "."],
    [".", true, "."],
    ["./src//x/.", true, "src/x"],
    ["src/../../workspace/a", true, "a"],
    ["not/there/yet", true, "not/there/yet"],
    ["a\nb", true, "a\nb"],
    ["..", false, base],
    ["../workspace-evil/x", false, path.join(base, "workspace-evil/x")],
    ["link/new.txt", false, path.join(base, "outside/new.txt")],
    ["link2/deep/new.txt", false, path.join(base, "outside/deep/new.txt")],
    ["dangling", false, path.join(base, "outside/new.txt")],
    ["/etc/hosts", false, "/etc/hosts"],
    ["/proc/self/root/etc/hosts", false, "/etc/hosts"],
    [`/proc/self/root${root}/src/a.ts`, true, "src/a.ts"],
    ["~/x", false, path.join(homedir(), "x")],
  ])("%j inside: %s", (input, inside, display) => {
    expect(workspace.resolve(input)).toMatchObject({ inside, display });
  });

  it("keeps the name before links in `absolute`", () => {
    const resolved = workspace.resolve("link/secret");
    expect(resolved.absolute).toBe(path.join(root, "link", "secret"));
    expect(resolved.real).toBe(path.join(base, "outside", "secret"));
  });

  it("takes the root by its real path", () => {
    expect(createWorkspace({ root: path.join(base, "alias") }).root).toBe(root);
  });

  it("has further roots", () => {
    const wider = createWorkspace({ root, roots: ["../outside"] });
    expect(wider.resolve("link/new.txt").inside).toBe(true);
    expect(wider.resolve("../workspace-evil").inside).toBe(false);
  });

  it("refuses NUL and link loops", () => {
    expect(() => workspace.resolve("a\0b")).toThrow("NUL");
    expect(() => workspace.resolve("loop/x")).toThrow("symbolic links");
  });
});
