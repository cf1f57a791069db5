import { modelContract } from "./model-contract/model-contract.ts";
import type { ModelSubject } from "./model-contract/subject.ts";

/** What the contract needs of a test runner: vitest's and node:test's `describe` and `test` fit. */
export interface TestApi {
  describe(name: string, define: () => void): unknown;
  test(name: string, run: () => Promise<void>): unknown;
}

/**
 * Defines a test for each case of the model contract that applies to the subject: answers, requests, ways to
 * stream, failures, waits. Against real servers on 127.0.0.1; nothing leaves the machine.
 */
export function describeModel(subject: ModelSubject, { describe, test }: TestApi): void {
  describe(`model contract: ${subject.name}`, () => {
    for (const { name, run } of modelContract(subject)) test(name, run);
  });
}
