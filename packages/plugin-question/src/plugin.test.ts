import { isSetupError } from "@toycoder/core";
import { expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { questionPlugin } from "./plugin.ts";

const context = { root: "/", secretVariables: [] };

test("it brings ask_user", async () => {
  const { tools } = await questionPlugin().setup(context);
  expect(tools.map((tool) => tool.name)).toEqual(["ask_user"]);
});

test("name and version can be read without setting it up", () => {
  expect(questionPlugin.pluginName).toBe("question");
  expect(questionPlugin.version).toBe(packageJson.version);
});

test("an option is refused by name", async () => {
  // @ts-expect-error it takes no options
  const setup = questionPlugin({ colour: "red" }).setup(context);
  await expect(setup).rejects.toSatisfy(
    (error) => isSetupError(error) && error.code === "plugin_options" && error.message.includes("colour"),
  );
});
