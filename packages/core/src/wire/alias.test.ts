import fc from "fast-check";
import { expect, test } from "vitest";
import { createAliases } from "./alias.ts";

const OPENAI = { maxLength: 64, forbidden: /[^a-zA-Z0-9_-]/g };

test("a name that fits is its own alias", () => {
  const aliases = createAliases(["read_file", "constructor"], OPENAI);
  expect(aliases.encode("read_file")).toBe("read_file");
  expect(aliases.encode("constructor")).toBe("constructor");
  expect(aliases.decode("constructor")).toBe("constructor");
});

test("a long or dotted name gets a legal alias that ends in a hash, and comes back", () => {
  const long = `server__${"x".repeat(70)}`;
  const aliases = createAliases([long, "a.b"], OPENAI);
  expect(aliases.encode(long)).toMatch(/^server__x+_[0-9a-f]{8}$/);
  expect(aliases.encode(long)).toHaveLength(64);
  expect(aliases.encode("a.b")).toMatch(/^a_b_[0-9a-f]{8}$/);
  expect(aliases.decode(aliases.encode(long))).toBe(long);
});

test("names that are equal after cutting stay apart", () => {
  const [a, b] = [`${"x".repeat(70)}a`, `${"x".repeat(70)}b`];
  const aliases = createAliases([a, b], OPENAI);
  expect(aliases.encode(a)).not.toBe(aliases.encode(b));
});

test("an alias never takes a name that a tool has itself", () => {
  const taken = createAliases(["a.b"], OPENAI).encode("a.b");
  const aliases = createAliases(["a.b", taken], OPENAI);
  expect(aliases.encode(taken)).toBe(taken);
  expect(aliases.encode("a.b")).not.toBe(taken);
  expect(aliases.decode(aliases.encode("a.b"))).toBe("a.b");
});

test("a tool outside the list, disabled since it was called, is encoded the same way each time", () => {
  const aliases = createAliases(["read_file"], OPENAI);
  expect(aliases.encode("old.tool")).toBe(aliases.encode("old.tool"));
  expect(aliases.decode("never_given_out")).toBe("never_given_out");
});

test("aliases are legal, distinct, reversible and independent of order", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ maxLength: 90 }), { maxLength: 12 }), (names) => {
      const aliases = createAliases(names, OPENAI);
      const again = createAliases([...names].reverse(), OPENAI);
      const encoded = names.map((name) => aliases.encode(name));
      expect(new Set(encoded).size).toBe(names.length);
      for (const [index, name] of names.entries()) {
        expect(encoded[index]).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(aliases.decode(encoded[index]!)).toBe(name);
        expect(again.encode(name)).toBe(encoded[index]);
      }
    }),
    { seed: 1, numRuns: 200 },
  );
});
