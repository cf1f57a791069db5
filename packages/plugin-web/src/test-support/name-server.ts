import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import type { Lookup } from "../guarded-lookup.ts";

export interface NameServer extends AsyncDisposable {
  /** Asks this server over UDP. */
  readonly lookup: Lookup;
  /** How often an address was asked for. */
  readonly asked: number;
}

/** A name server on 127.0.0.1: any name has the addresses of `answers` in turn, the last one for ever, for 0 s. */
export async function nameServer(...answers: readonly (readonly string[])[]): Promise<NameServer> {
  let asked = 0;
  const socket = createSocket("udp4", (query, from) => {
    const addresses = answers[Math.min(asked++, answers.length - 1)] ?? [];
    socket.send(answer(query, addresses), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    lookup: (host) => resolver.resolve4(host),
    get asked() {
      return asked;
    },
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => socket.close(resolve));
    },
  };
}

/** RFC 1035: the header and question of the query, then an A record for each address, which points to the name. */
function answer(query: Buffer, addresses: readonly string[]): Buffer {
  const end = query.indexOf(0, 12) + 5;
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split(".").map(Number)]),
  );
  return Buffer.concat([head, ...records]);
}
