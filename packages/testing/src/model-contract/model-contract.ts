import { fakeProvider } from "../fake-provider.ts";
import { reply } from "../reply.ts";
import { answerCases } from "./answer-cases.ts";
import { AT_ONCE, KEY } from "./ask-wire.ts";
import { cachingCases } from "./caching-cases.ts";
import { failureCases } from "./failure-cases.ts";
import { historyCases } from "./history-cases.ts";
import { reasoningCases } from "./reasoning-cases.ts";
import { requestCases } from "./request-cases.ts";
import { streamCases } from "./stream-cases.ts";
import type { ContractCase, ModelSubject, ModelWire, PlayedSubject } from "./subject.ts";
import { waitingCases } from "./waiting-cases.ts";

/** The cases that apply to a model: those about requests and HTTP only where it has a wire. */
export function modelContract(subject: ModelSubject): ContractCase[] {
  if (!("wire" in subject)) return answerCases(subject);
  const { wire, stops } = subject;
  return [
    ...answerCases({ stops, play: playOver(wire) }),
    ...requestCases(wire),
    ...historyCases(wire),
    ...reasoningCases(wire),
    ...cachingCases(wire),
    ...streamCases(subject),
    ...failureCases(wire),
    ...waitingCases(wire),
  ];
}

const playOver =
  (wire: ModelWire): PlayedSubject["play"] =>
  async (answers) => {
    const server = await fakeProvider(...answers.map((answer) => reply.events(wire.events(answer))));
    return {
      model: wire.model({ origin: server.url, apiKey: KEY, retries: AT_ONCE }),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  };
