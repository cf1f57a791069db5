import { expect, test } from "vitest";
import { type Answer, readAnswer } from "./read-answer.ts";

const read = (body: string, type?: string): Promise<Answer> =>
  readAnswer(
    new Response(body, { headers: type === undefined ? {} : { "content-type": type } }),
    "http://host/v1",
  );

test("an event stream is passed on unread", async () => {
  const answer = await read("data: {}\n\n", "text/event-stream; charset=utf-8");
  expect(answer).toMatchObject({ kind: "events", response: { bodyUsed: false } });
});

test("JSON is parsed, whatever the server calls it", async () => {
  expect(await read('{"a":1}', "application/json")).toEqual({ kind: "json", value: { a: 1 } });
  expect(await read('{"a":1}', "text/plain")).toEqual({ kind: "json", value: { a: 1 } });
});

test("events under another content type are events", async () => {
  for (const body of ["data: {}\n\n", ": ping\n\ndata: {}\n\n", "event: x\ndata: {}\n\n"]) {
    const answer = await read(body, "text/plain");
    expect(answer.kind === "events" && (await answer.response.text())).toBe(body);
  }
});

test("a web page is a wrong address, which the error shows", async () => {
  await expect(read("<!doctype html><title>Home</title>", "text/html")).rejects.toMatchObject({
    kind: "invalid_request",
    message: "http://host/v1 answered with an HTML page: Home, not with a model's answer",
  });
});

test("JSON that breaks off is the network's fault", async () => {
  await expect(read('{"a":', "application/json")).rejects.toMatchObject({ kind: "network" });
});
