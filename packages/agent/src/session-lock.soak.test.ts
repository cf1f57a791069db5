import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { tempWorkspace } from "@toycoder/testing";
import { expect, it } from "vitest";

const CONTEND = fileURLToPath(new URL("test-support/contend-often.ts", import.meta.url));

it("a session that six processes take and give back 300 times each is never held by two", async () => {
  using folder = tempWorkspace();
  const children = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ["--conditions=@toycoder/source", CONTEND, folder.root, "300"], {
      stdio: "inherit",
    }),
  );
  const codes = await Promise.all(children.map((child) => once(child, "exit")));
  expect(codes).toEqual(children.map(() => [0, null]));
  expect(readdirSync(folder.root)).toHaveLength(1);
});
