import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LaneClaim, Lanes } from "./lanes.ts";

const claim = (writes: readonly string[] = [], exclusive = false): LaneClaim => ({ writes, exclusive });

describe("Lanes", () => {
  it("lets foreign paths run together and one path one after the other", async () => {
    const lanes = new Lanes();
    const first = await lanes.enter(claim(["/a"]));
    const other = await lanes.enter(claim(["/b"]));
    let entered = false;
    const second = Promise.resolve(lanes.enter(claim(["/a"]))).then((leave) => {
      entered = true;
      return leave;
    });
    other();
    await Promise.resolve();
    expect(entered).toBe(false);
    first();
    (await second)();
    expect(entered).toBe(true);
  });

  it("lets work within other work pass that work's own claims", async () => {
    const lanes = new Lanes(1);
    const outer = claim(["/a"], true);
    const leave = await lanes.enter(outer);
    const inner = await lanes.enter({ ...claim(["/a"]), within: [outer] });
    inner();
    leave();
    expect(typeof inner).toBe("function");
  });

  it("never overlaps conflicting work, never exceeds the limit, and ends", async () => {
    const work = fc.record({
      writes: fc.uniqueArray(fc.constantFrom("/a", "/b", "/c"), { maxLength: 2 }),
      exclusive: fc.boolean(),
      ticks: fc.nat(4),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(work, { maxLength: 20 }),
        fc.integer({ min: 1, max: 4 }),
        async (pieces, limit) => {
          const lanes = new Lanes(limit);
          const running = new Set<(typeof pieces)[number]>();
          const started: number[] = [];
          await Promise.all(
            pieces.map(async (piece, index) => {
              const leave = await lanes.enter(piece);
              started.push(index);
              for (const other of running) {
                expect(piece.exclusive || other.exclusive).toBe(false);
                expect(piece.writes.some((path) => other.writes.includes(path))).toBe(false);
              }
              running.add(piece);
              expect(running.size).toBeLessThanOrEqual(limit);
              for (let tick = 0; tick < piece.ticks; tick++) await Promise.resolve();
              running.delete(piece);
              leave();
            }),
          );
          expect(started).toHaveLength(pieces.length);
        },
      ),
      { seed: 3, numRuns: 200 },
    );
  });
});
