import { expect, test } from "vitest";
import { stemEnglish } from "./stem-english.ts";

test.each([
  ["search searches searching searched searcher"],
  ["file files filing filed"],
  ["query queries querying queried"],
  ["delete deletes deleting deleted deletion"],
  ["create creates creating creation creator"],
  ["stop stops stopping stopped"],
  ["translate translation translator translating"],
  ["calculate calculation calculator calculating"],
  ["directory directories"],
  ["commit commits committed committing"],
  ["move moves moved moving"],
  ["repeat repeats repeated repeating"],
  ["enable enables enabled enabling"],
  ["install installs installing installer"],
])("one stem: %s", (forms) => {
  expect(new Set(forms.split(" ").map(stemEnglish)).size).toBe(1);
});

test.each([["status"], ["gas"], ["sql"], ["sing"], ["用户"], ["is"], ["access"], ["x2"]])(
  "%s stays",
  (word) => {
    expect(stemEnglish(word)).toBe(word);
  },
);

test.each([
  ["list", "listen"],
  ["read", "ready"],
  ["test", "text"],
  ["user", "use"],
])("%s and %s stay apart", (one, other) => {
  expect(stemEnglish(one)).not.toBe(stemEnglish(other));
});
