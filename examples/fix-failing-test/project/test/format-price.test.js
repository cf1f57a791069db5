import assert from "node:assert/strict";
import { test } from "node:test";
import { formatPrice } from "../src/format-price.js";

test("cents become a text", () => {
  assert.equal(formatPrice(1234), "12.34 €");
});
