import { type TempWorkspace, tempWorkspace } from "@toycoder/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadConfig } from "./load-config.ts";

let workspace: TempWorkspace;
beforeEach(() => void (workspace = tempWorkspace()));
afterEach(() => workspace.dispose());

const load = (model: unknown, env: NodeJS.ProcessEnv = {}): ReturnType<typeof loadConfig> => {
  workspace.write("toycoder.config.json", JSON.stringify({ model }));
  return loadConfig({ cwd: workspace.root, env });
};
const compatible = { provider: "openai-compatible", model: "m", baseURL: "http://127.0.0.1:1/v1" };

test("a key comes from the variable that the config names, which is a secret from then on", async () => {
  const model = {
    ...compatible,
    apiKey: "${TEAM_KEY}",
    fallback: { ...compatible, model: "n", apiKey: "${OTHER_KEY}" },
  };
  const loaded = await load(model, { TEAM_KEY: "value-1", OTHER_KEY: "value-2" });
  expect(loaded.config.model).toMatchObject({ apiKey: "value-1", fallback: { apiKey: "value-2" } });
  expect(loaded.secretVariables).toEqual(["TEAM_KEY", "OTHER_KEY"]);
});

test.each(["sk-0123456789", "TEAM_KEY", "Bearer ${TEAM_KEY}", ""])(
  "a key that is no variable is refused, and not shown: %j",
  async (apiKey) => {
    const loading = load({ ...compatible, apiKey }, { TEAM_KEY: "value-1" });
    await expect(loading).rejects.toThrow("model.apiKey: expected ${NAME} of an environment variable");
    await expect(loading).rejects.not.toThrow("sk-0123456789");
  },
);

test("a variable that is not set is named", async () => {
  await expect(load({ ...compatible, apiKey: "${TEAM_KEY}" })).rejects.toThrow(
    "model.apiKey: the environment variable TEAM_KEY is not set",
  );
});

test.each(["ollama", { images: false, schemas: "no-patterns" }])("quirks may be %j", async (quirks) => {
  expect((await load({ ...compatible, quirks })).config.model).toMatchObject({ quirks });
});

test.each([
  ["", "expected the name of a server"],
  [3, "expected a string or an object"],
  [["x"], "expected"],
])("quirks may not be %j", async (quirks, message) => {
  await expect(load({ ...compatible, quirks })).rejects.toThrow(`model.quirks: ${message}`);
});
