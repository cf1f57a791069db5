import { tempWorkspace } from "@toycoder/testing";
import { expect, test } from "vitest";
import { killedWriters } from "./test-support/killed-writers.ts";

test("killed 200 times in the middle: the file is whole, old or new, and nothing is left", async () => {
  using workspace = tempWorkspace();
  const killed = await killedWriters({ root: workspace.root, rounds: 200 });
  expect(killed).toMatchObject({ torn: 0, leftovers: 0 });
  expect(killed.interrupted).toBeGreaterThan(10);
});
