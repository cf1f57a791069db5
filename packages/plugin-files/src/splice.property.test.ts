import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { array, assert, boolean, constantFrom, integer, oneof, property, string, tuple } from "fast-check";
import { expect, test } from "vitest";
import { applyEdits } from "./apply-edits.ts";
import { composeRegions } from "./regions.ts";

const runs = process.env.TOYCODER_SOAK === "1" ? 100_000 : 2000;
const file = { absolute: "/w/f", real: "/w/f", display: "f", inside: true };

/** Little pieces, so that places repeat, line ends meet and matches happen. */
const ascii = ["a", "b", " ", "\t", "$", "$&", "$$", "$1", "\\", "\\n"];
const ends = ["\n", "\n", "\r\n", "\r"];
const piece = constantFrom(...ascii, ...ends, "é", "e\u0301", "“", "—", "😀", "漢", "\uFEFF");
const text = array(piece, { maxLength: 24 }).map((parts) => parts.join(""));
const badBytes = constantFrom(
  Buffer.from([0xed, 0xa0, 0x80]), // half a surrogate pair
  Buffer.from([0xe9]),
  Buffer.from([0xc3]),
  Buffer.from([0xb5, 0x5c]), // a GBK character whose second byte is a backslash
);

type Encoding = "utf-8" | "utf-16le" | "utf-16be";
const encode = (value: string, encoding: Encoding): Buffer => {
  if (encoding === "utf-8") return Buffer.from(value, "utf8");
  const bytes = Buffer.from(value, "utf16le");
  return encoding === "utf-16le" ? bytes : bytes.swap16();
};

const decode = (bytes: Buffer, encoding: Encoding): string => {
  if (encoding === "utf-8") return bytes.toString("utf8");
  return (encoding === "utf-16le" ? bytes : Buffer.from(bytes).swap16()).toString("utf16le");
};

/** A token: one code unit, or one whole line end. */
interface Token {
  bytes: Buffer;
  isEnd: boolean;
}

function tokens(bytes: Buffer, width: 1 | 2, encoding: Encoding): Token[] {
  const unit = (at: number): number | undefined => {
    if (at + width > bytes.length) return undefined;
    if (width === 1) return bytes[at];
    return encoding === "utf-16le" ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
  };
  const found: Token[] = [];
  for (let at = 0; at < bytes.length;) {
    const long = unit(at) === 13 && unit(at + width) === 10 ? 2 * width : width;
    const isEnd = unit(at) === 13 || unit(at) === 10;
    found.push({ bytes: bytes.subarray(at, at + long), isEnd });
    at += long;
  }
  return found;
}

/** Every place by trying each; a place is a range of bytes. */
function oracle(bytes: Buffer, wanted: string, encoding: Encoding): { start: number; end: number }[] {
  const needle = encode(wanted, encoding);
  const width = encoding === "utf-8" ? 1 : 2;
  const places: { start: number; end: number }[] = [];
  if (wanted.includes("\r") || !wanted.includes("\n")) {
    for (let at = 0; at + needle.length <= bytes.length; at += width) {
      if (bytes.compare(needle, 0, needle.length, at, at + needle.length) === 0)
        places.push({ start: at, end: at + needle.length });
    }
    return places;
  }
  const pattern = tokens(needle, width, encoding);
  const all = tokens(bytes, width, encoding);
  let start = 0;
  for (const [at, token] of all.entries()) {
    const here = all.slice(at, at + pattern.length);
    const fits =
      here.length === pattern.length &&
      here.every((one, index) => {
        const other = pattern[index]!;
        return one.isEnd === other.isEnd && (one.isEnd || one.bytes.equals(other.bytes));
      });
    if (fits) places.push({ start, end: start + here.reduce((sum, one) => sum + one.bytes.length, 0) });
    start += token.bytes.length;
  }
  return places;
}

const withoutEnds = (bytes: Buffer, encoding: Encoding): string =>
  tokens(bytes, encoding === "utf-8" ? 1 : 2, encoding)
    .map((token) => (token.isEnd ? "\n" : token.bytes.toString("latin1")))
    .join("");

const content = oneof(
  { arbitrary: tuple(constantFrom<Encoding>("utf-8"), text, constantFrom("", "\uFEFF")), weight: 4 },
  {
    arbitrary: tuple(constantFrom<Encoding>("utf-16le", "utf-16be"), text, constantFrom("\uFEFF")),
    weight: 1,
  },
).map(([encoding, body, bom]) => ({ encoding, bytes: encode(bom + body, encoding) }));

/** An old_string cut out of the content, with LF for its line ends, or any other. */
const picked = tuple(integer({ min: 0, max: 40 }), integer({ min: 1, max: 8 }), boolean(), text);

test(`${runs} edits change exactly the bytes of the match`, () => {
  let applied = 0;
  assert(
    property(
      content,
      picked,
      text,
      boolean(),
      ({ encoding, bytes }, [from, length, lf, other], inserted, replaceAll) => {
        const whole = decode(bytes, encoding);
        const characters = Array.from(whole).slice(1);
        const cut = characters
          .slice(from % (characters.length || 1))
          .slice(0, length)
          .join("");
        const wanted = (lf ? cut.replaceAll(/\r\n|\r/g, "\n") : cut) || other;
        if (wanted === "" || wanted === inserted || !wanted.isWellFormed()) return;
        const places = oracle(bytes, wanted, encoding);
        const edit = { old_string: wanted, new_string: inserted, replace_all: replaceAll };
        if (places.length === 0 || (places.length > 1 && !replaceAll)) {
          throws(
            () => applyEdits(bytes, encoding, [edit], file),
            places.length === 0 ? /is not in f/ : /places in f/,
          );
          return;
        }
        applied++;
        const result = applyEdits(bytes, encoding, [edit], file);
        const chosen: typeof places = [];
        for (const place of places) if (place.start >= (chosen.at(-1)?.end ?? 0)) chosen.push(place);
        equal(result.count, chosen.length);

        // Walk both: what lies between the matches is the same, and what replaced them is the new text.
        const width = encoding === "utf-8" ? 1 : 2;
        let before = 0;
        let after = 0;
        for (const [index, { start, end }] of chosen.entries()) {
          const region = result.regions[index]!;
          deepEqual([region.beforeStart * width, region.beforeEnd * width], [start, end]);
          const kept = bytes.subarray(before, start);
          ok(result.bytes.subarray(after, after + kept.length).equals(kept));
          after += kept.length;
          equal(region.afterStart * width, after);
          const put = result.bytes.subarray(after, region.afterEnd * width);
          equal(withoutEnds(put, encoding), withoutEnds(encode(inserted, encoding), encoding));
          const own = tokens(bytes.subarray(start, end), width, encoding).filter(({ isEnd }) => isEnd);
          if (!inserted.includes("\r") && !wanted.includes("\r") && own.length > 0) {
            const known = own.map((one) => one.bytes.toString("hex"));
            for (const one of tokens(put, width, encoding))
              if (one.isEnd) ok(known.includes(one.bytes.toString("hex")));
          }
          after += put.length;
          before = end;
        }
        ok(result.bytes.subarray(after).equals(bytes.subarray(before)));
      },
    ),
    { numRuns: runs, seed: 20_260_101 },
  );
  expect(applied).toBeGreaterThan(runs / 10);
});

test("files that are not UTF-8 are edited in their ASCII, or refused", () => {
  const plain = string({ unit: constantFrom("a", "b", " ", "=", "\n", "\\"), minLength: 1, maxLength: 4 });
  assert(
    property(
      array(
        oneof(
          plain.map((value) => Buffer.from(value)),
          badBytes,
        ),
        { maxLength: 12 },
      ),
      plain,
      text,
      (parts, wanted, inserted) => {
        const bytes = Buffer.concat([Buffer.from([0xff]), ...parts]);
        if (wanted === inserted) return;
        let result: ReturnType<typeof applyEdits>;
        try {
          result = applyEdits(bytes, "utf-8", [{ old_string: wanted, new_string: inserted }], file);
        } catch (error) {
          match((error as { code: string }).code, /^(?:no_match|several_matches|unsafe_encoding)$/);
          return;
        }
        const at = bytes.indexOf(wanted);
        const expected = Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from(inserted, "latin1"),
          bytes.subarray(at + wanted.length),
        ]);
        ok(result.bytes.equals(expected));
      },
    ),
    { numRuns: Math.ceil(runs / 4), seed: 7 },
  );
});

test("regions of edits in a row say what changed between the first text and the last", () => {
  const change = tuple(integer({ min: 0, max: 30 }), integer({ min: 0, max: 5 }), string({ maxLength: 5 }));
  assert(
    property(string({ maxLength: 30 }), array(change, { minLength: 1, maxLength: 6 }), (start, changes) => {
      let now = start;
      let regions: ReturnType<typeof composeRegions> = [];
      for (const [at, length, put] of changes) {
        const from = Math.min(at, now.length);
        const to = Math.min(from + length, now.length);
        const one = { beforeStart: from, beforeEnd: to, afterStart: from, afterEnd: from + put.length };
        regions = composeRegions(regions, [one]);
        now = now.slice(0, from) + put + now.slice(to);
      }
      let rebuilt = "";
      let done = 0;
      for (const { beforeStart, beforeEnd, afterStart, afterEnd } of regions) {
        rebuilt += start.slice(done, beforeStart);
        equal(rebuilt.length, afterStart);
        rebuilt += now.slice(afterStart, afterEnd);
        done = beforeEnd;
      }
      equal(rebuilt + start.slice(done), now);
    }),
    { numRuns: Math.ceil(runs / 4), seed: 11 },
  );
});
