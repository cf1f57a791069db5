import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/total.js";

test("an empty basket costs nothing", () => {
  assert.equal(total([], "none"), 0);
});

test("every piece of an item counts", () => {
  const items = [
    { price: 250, quantity: 4 },
    { price: 100, quantity: 1 },
  ];
  assert.equal(total(items, "none"), 1100);
});

test("gold customers pay four fifths", () => {
  assert.equal(total([{ price: 1000, quantity: 2 }], "gold"), 1600);
});
