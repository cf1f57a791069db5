import { BlockList, isIP } from "node:net";
import type { WebTarget } from "./web-target.ts";

/** Which addresses outside the public internet may be reached all the same. */
export interface PrivateAccess {
  allows(target: WebTarget, address: string): boolean;
}

type Entry = PrivateAccess["allows"];

/**
 * Reads the entries of `allowPrivate`: `10.0.0.0/8`; an address or a host's name, with `:port` for that port alone
 * (`127.0.0.1:8080`, `[::1]:8080`, `wiki.internal`). An address is allowed whatever name leads to it; a name may
 * lead to any address. Throws an Error for what is none of these.
 */
export function privateAccess(entries: readonly string[]): PrivateAccess {
  const allowed = entries.map(readEntry);
  return { allows: (target, address) => allowed.some((allows) => allows(target, address)) };
}

const READABLE = "expected an address (127.0.0.1:8080), a network (10.0.0.0/8) or a host (wiki.internal)";

function readEntry(entry: string): Entry {
  const network = /^([^/]+)\/(\d{1,3})$/.exec(entry);
  if (network !== null) return networkEntry(network[1] ?? "", Number(network[2]));
  if (isIP(entry) !== 0) return addressEntry(entry);
  const [, name, port] = /^(\[[^\]]+\]|[^:[\]/@?#*\s]+)(?::(\d{1,5}))?$/.exec(entry) ?? [];
  if (name === undefined || !URL.canParse(`http://${name}`)) throw new Error(READABLE);
  const host = new URL(`http://${name}`).hostname.replace(/\.$/, "");
  const bare = host.replace(/^\[(.*)\]$/, "$1");
  const allows: Entry = isIP(bare) === 0 ? (target) => target.host === host : addressEntry(bare);
  if (port === undefined) return allows;
  return (target, address) => target.port === Number(port) && allows(target, address);
}

const addressEntry = (address: string): Entry => networkEntry(address, isIP(address) === 6 ? 128 : 32);

function networkEntry(network: string, prefix: number): Entry {
  const version = isIP(network);
  if (version === 0 || prefix > (version === 6 ? 128 : 32)) throw new Error(READABLE);
  const list = new BlockList();
  const family = version === 6 ? "ipv6" : "ipv4";
  list.addSubnet(network, prefix, family);
  return (_, address) => isIP(address) === version && list.check(address, family);
}
