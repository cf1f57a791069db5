import { expect, test } from "vitest";
import { faulty, openServers, processesWith } from "./test-support/open-servers.ts";

test("a gigabyte on stderr costs no memory, and the server is used meanwhile", async () => {
  const server = faulty([`--stderr-flood=${1024 ** 3}`]);
  const before = process.memoryUsage().rss;
  {
    await using opened = await openServers({ faulty: server.config });
    expect(await opened.say("faulty__echo", { text: "dry" })).toBe("dry");
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 ** 2);
  }
  expect(processesWith(server.mark)).toEqual([]);
});
