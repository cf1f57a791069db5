import { expect, it } from "vitest";
import { AnswerBlocks } from "./answer-blocks.ts";

const ANSWER = "One.\n\n- a\n- b\n\n  of b\n\n```js\nx\n\ny\n```\n\nTwo.\n\n";

it.each([1, 2, 5, 1000])("gives out whole blocks of an answer that comes in pieces of %i", (size) => {
  const blocks = new AnswerBlocks();
  const shown: string[] = [];
  for (let at = 0; at < ANSWER.length; at += size) shown.push(blocks.add(ANSWER.slice(at, at + size)));
  shown.push(blocks.finish(ANSWER));
  expect(shown.join("")).toBe(ANSWER);
  if (size === 1)
    expect(shown.filter((one) => one !== "")).toEqual([
      "One.\n\n",
      "- a\n- b\n\n  of b\n\n",
      "```js\nx\n\ny\n```\n\n",
      "Two.\n\n",
    ]);
});

it("knows what it gave out of an answer of several texts, and begins anew", () => {
  const blocks = new AnswerBlocks();
  expect(blocks.add("A.\n\nB.C.\n\nD.")).toBe("A.\n\nB.C.\n\n");
  expect([blocks.finish("A.\n\nB."), blocks.finish("C.\n\nD.")]).toEqual(["", "D."]);
  blocks.add("X.\n\nY");
  blocks.reset();
  expect(blocks.finish("Z.")).toBe("Z.");
});
