import { Writable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commandsIn } from "../../test-support/runner-commands.ts";
import { inertJson, inertText } from "./inert.ts";
import { inertStream } from "./inert-stream.ts";
import { workflowCommand } from "./workflow-command.ts";

/** Pieces that commands are made of, and what a runner takes for white space or an end of a line. */
const hostile = fc
  .array(
    fc.constantFrom(
      ..."::error::|##[add-mask]|::stop-commands::|::|:|##[|#|[|]|error|set-output name=a|stop-commands|add-mask|%0A|,|x| |\t|\v|\u0085|\u00a0|\u2028|\ufeff|\r|\n|\r\n|\u001b[31m|\\".split(
        "|",
      ),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(""));
const runs = { seed: 7, numRuns: process.env["TOYCODER_SOAK"] === "1" ? 200_000 : 5000 };

describe("inertText", () => {
  it.each([
    "::error::x",
    "  \t::set-output name=result::{}",
    "fine\r::stop-commands::t",
    "\u0085::add-mask::e",
    "text ##[add-mask]e",
    "##[set-output name=a;]b",
    ":::::error::x",
    "##[##[error]x]x",
  ])("leaves no command in %j", (text) => {
    expect(commandsIn(inertText(text))).toEqual([]);
  });

  it("leaves none in any text, and takes no character away", () => {
    let before = 0;
    fc.assert(
      fc.property(hostile, (text) => {
        before += commandsIn(text).length;
        const inert = inertText(text);
        expect(commandsIn(inert)).toEqual([]);
        const kept = text.replaceAll("\\", "");
        expect(inert.replaceAll("\\", "")).toBe(kept);
      }),
      runs,
    );
    // The texts do hold commands before.
    expect(before).toBeGreaterThan(100);
  });

  it("leaves other text as it is", () => {
    const text = "std::vector, a :: b\n# [x]\n## [y]: z\n:not:\n";
    expect(inertText(text)).toBe(text);
  });
});

describe("inertJson", () => {
  it("is the same value, without a command", () => {
    fc.assert(
      fc.property(hostile, fc.constantFrom(undefined, 2), (text, indent) => {
        const value = { [text]: [text] };
        const json = inertJson(JSON.stringify(value, null, indent));
        expect(commandsIn(json)).toEqual([]);
        expect(JSON.parse(json)).toEqual(value);
      }),
      runs,
    );
  });
});

describe("inertStream", () => {
  it("finds a command that comes in pieces", () => {
    fc.assert(
      fc.property(hostile, fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (text, lengths) => {
        let written = "";
        const target = new Writable({
          decodeStrings: false,
          write: (text: string, _, done) => {
            written += text;
            done();
          },
        }) as unknown as NodeJS.WriteStream;
        const { stream, flush } = inertStream(target);
        for (let at = 0; at < text.length;) {
          const length = Number(lengths.next().value);
          stream.write(text.slice(at, at + length));
          at += length;
        }
        flush();
        expect(commandsIn(written)).toEqual([]);
        expect(written.replaceAll("\\", "")).toBe(text.replaceAll("\\", ""));
      }),
      runs,
    );
  });
});

describe("workflowCommand", () => {
  it("is one command, with any text in it", () => {
    fc.assert(
      fc.property(hostile, hostile, (title, data) => {
        // The runner takes white space from around the properties.
        const line = workflowCommand("error", data, `<${title}>`);
        expect(commandsIn(line)).toEqual([{ name: "error", properties: { title: `<${title}>` }, data }]);
      }),
      runs,
    );
  });
});
