import { expect, test, vi } from "vitest";
import { fromEnvironment, hasHeader, secretsOf } from "./model-settings.ts";

test("an empty variable of the environment counts as unset", () => {
  vi.stubEnv("TOYCODER_TEST_KEY", "  ");
  expect(fromEnvironment("TOYCODER_TEST_KEY")).toBeUndefined();
  vi.stubEnv("TOYCODER_TEST_KEY", " x ");
  expect(fromEnvironment("TOYCODER_TEST_KEY")).toBe("x");
  vi.unstubAllEnvs();
});

test("header names are the same in any case", () => {
  expect(hasHeader({ Authorization: "x" }, "authorization")).toBe(true);
  expect(hasHeader({ "x-team": "x" }, "authorization")).toBe(false);
  expect(hasHeader(undefined, "authorization")).toBe(false);
});

test("keys and headers that hold one are secret, other headers are not", () => {
  const headers = { "x-team": "blue", "Proxy-Authorization": "p", "X-Api-Key": "k" };
  expect(secretsOf({ headers }, "sk-1", undefined)).toEqual(["sk-1", "p", "k"]);
});
