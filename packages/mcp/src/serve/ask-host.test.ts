import type { ElicitRequestFormParams, ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import { defineTool } from "@toycoder/core";
import { tempWorkspace } from "@toycoder/testing";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type HostSetUp, openToolServer, textIn } from "../test-support/open-tool-server.ts";

const folder = tempWorkspace();
const { root } = folder;
afterAll(() => folder.dispose());

const write = defineTool({
  name: "write",
  description: "Writes.",
  permission: "sensitive",
  input: z.object({ path: z.string() }),
  effects: ({ path }) => [{ kind: "write", path }],
  execute: ({ path }) => `wrote ${path}`,
});
const asking = defineTool({
  name: "asking",
  description: "Asks.",
  input: z.object({ options: z.array(z.string()).default([]) }),
  timeoutMs: false,
  execute: ({ options }, ctx) => ctx.ask("Which\u202E port?", options),
});

/** A person who gives these answers, one after the other, and remembers what was asked. */
function person(
  ...answers: readonly ElicitResult[]
): { asked: ElicitRequestFormParams[] } & Required<Pick<HostSetUp, "elicit">> {
  const asked: ElicitRequestFormParams[] = [];
  const elicit = (form: ElicitRequestFormParams): ElicitResult => {
    asked.push(form);
    return answers[asked.length - 1] ?? { action: "cancel" };
  };
  return { asked, elicit };
}
const accept = (answer: string): ElicitResult => ({ action: "accept", content: { answer } });

describe("an approval", () => {
  it("once is for one call, always for what its rule covers; the question names the rule", async () => {
    const { asked, elicit } = person(accept("once"), accept("always"));
    await using host = await openToolServer([write], { root, elicit });
    for (const path of ["a.txt", "a.txt", "a.txt"])
      expect(textIn(await host.call("write", { path }))).toBe(`wrote ${path}`);
    expect(asked).toHaveLength(2);
    expect(asked[0]?.message).toContain('May write do this?\n{\n  "path": "a.txt"\n}\nwrite a.txt\n');
    expect(JSON.stringify(asked[0]?.requestedSchema)).toContain("it adds the rule write(./a.txt)");
    expect(textIn(await host.call("write", { path: "b.txt" }))).toContain("permission_denied");
    expect(asked).toHaveLength(3);
  });

  it.each<[string, ElicitResult, string]>([
    ["no", accept("no"), "said no to this call"],
    ["decline", { action: "decline" }, "said no to this call"],
    ["cancel", { action: "cancel" }, "closed the question about this call without an answer"],
  ])("%s is a denial", async (_, answer, words) => {
    await using host = await openToolServer([write], { root, ...person(answer) });
    const result = await host.call("write", { path: "a.txt" });
    expect([result.isError, textIn(result)]).toEqual([true, expect.stringContaining(words)]);
    expect(textIn(result)).toMatch(
      /^Error \(permission_denied\): .*\nHint: .*"write\(\.\/a\.txt\)" in permissions\.allow/,
    );
  });

  it.each<[string, () => ElicitResult]>([
    ["an answer that is none of the three", () => accept("maybe")],
    ["no answer in it", () => ({ action: "accept", content: {} })],
    [
      "an error of the host",
      () => {
        throw new Error("no window");
      },
    ],
  ])("%s allows nothing", async (_, elicit) => {
    await using host = await openToolServer([write], { root, elicit });
    const text = textIn(await host.call("write", { path: "a.txt" }));
    expect(text).toContain("Error (approval_required): the host could not ask the person");
    expect(text).toContain('permissions.allow would need "write(./a.txt)"');
  });

  it("asks one thing at a time, and not again what always has covered", async () => {
    let open = 0;
    let most = 0;
    let questions = 0;
    const elicit = async (): Promise<ElicitResult> => {
      questions++;
      most = Math.max(most, ++open);
      await new Promise((resolve) => setImmediate(resolve));
      open--;
      return accept("always");
    };
    await using host = await openToolServer([write], { root, elicit });
    const paths = ["a.txt", "a.txt", "b.txt", "a.txt"];
    const results = await Promise.all(paths.map((path) => host.call("write", { path })));
    expect(results.map(textIn)).toEqual(paths.map((path) => `wrote ${path}`));
    expect([most, questions]).toEqual([1, 2]);
  });

  it("ends with its call", async () => {
    const shown = Promise.withResolvers<void>();
    const elicit = (): Promise<ElicitResult> => {
      shown.resolve();
      return new Promise(() => {});
    };
    await using host = await openToolServer([write], { root, elicit });
    const controller = new AbortController();
    const call = host.client.callTool({ name: "write", arguments: { path: "a.txt" } }, undefined, {
      signal: controller.signal,
    });
    await shown.promise;
    controller.abort("enough");
    await expect(call).rejects.toThrow("enough");
    await host.server.close();
  });

  it("is not asked for where nothing is, by the policy or by the options", async () => {
    const { asked, elicit } = person();
    const policy = { deny: ["write(b.txt)"], onAsk: "allow" as const };
    await using host = await openToolServer([write], { root, elicit, policy, server: { approvals: false } });
    expect(textIn(await host.call("write", { path: "a.txt" }))).toBe("wrote a.txt");
    expect(textIn(await host.call("write", { path: "b.txt" }))).toContain("Error (permission_denied)");
    expect(textIn(await host.call("write", { path: "../c.txt" }))).toContain("Error (outside_workspace)");
    expect(asked).toEqual([]);
  });
});

describe("a tool's question", () => {
  it("reaches the person, with its options or in free words", async () => {
    const other: ElicitResult = { action: "accept", content: { answer: "80", other: "8080" } };
    const { asked, elicit } = person(accept("3000"), accept("80"), other);
    await using host = await openToolServer([asking], { root, elicit });
    expect(textIn(await host.call("asking"))).toBe("3000");
    expect(textIn(await host.call("asking", { options: ["80", "443"] }))).toBe("80");
    expect(textIn(await host.call("asking", { options: ["80", "443"] }))).toBe("8080");
    expect(asked[0]?.message).toBe("Which\u{FFFD} port?");
    expect(asked[0]?.requestedSchema.properties).toHaveProperty("answer.type", "string");
    expect(asked[1]?.requestedSchema.properties).toHaveProperty("answer.enum", ["80", "443"]);
  });

  it("declined, or without anybody there, is a failure that says how to go on", async () => {
    await using declining = await openToolServer([asking], { root, ...person({ action: "decline" }) });
    expect(textIn(await declining.call("asking"))).toContain("Error (no_answer): the person did not answer");
    await using alone = await openToolServer([asking], { root });
    expect(textIn(await alone.call("asking"))).toContain("Error (no_user)");
  });
});
