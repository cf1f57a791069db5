import { lookup as systemLookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { ToolError } from "@toycoder/core";
import type { PrivateAccess } from "./private-access.ts";
import { specialAddress } from "./special-address.ts";
import type { WebTarget } from "./web-target.ts";

/** The IP addresses of a host's name. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/** As every program of the machine looks names up, `/etc/hosts` included. */
export const defaultLookup: Lookup = async (host) =>
  (await systemLookup(host, { all: true })).map(({ address }) => address);

/** Throws a ToolError `address_refused` where the URL names an address that may not be reached. */
export function checkLiteral(target: WebTarget, access: PrivateAccess): void {
  const address = target.host.replace(/^\[(.*)\]$/, "$1");
  if (isIP(address) !== 0 && !mayReach(target, address, access)) throw refused(target, [address]);
}

/**
 * The lookup of one connection: what it answers is what is connected to, so no second answer of a name server can
 * lead elsewhere. Addresses that may not be reached are left out; with none left it fails with `address_refused`.
 */
export function guardedLookup(target: WebTarget, access: PrivateAccess, lookup: Lookup): LookupFunction {
  const find = async (): Promise<{ address: string; family: number }[]> => {
    const addresses = await lookup(target.host);
    const open = addresses.filter((address) => mayReach(target, address, access));
    if (open.length > 0) return open.map((address) => ({ address, family: isIP(address) }));
    if (addresses.length > 0) throw refused(target, addresses);
    throw Object.assign(new Error(`no address for ${target.host}`), { code: "ENOTFOUND" });
  };
  return (_host, { all }, callback) => {
    find().then(
      (found) => {
        if (all === true) return callback(null, found);
        const [first] = found;
        callback(null, first?.address ?? "", first?.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ""),
    );
  };
}

const mayReach = (target: WebTarget, address: string, access: PrivateAccess): boolean =>
  specialAddress(address) === undefined || (isIP(address) !== 0 && access.allows(target, address));

function refused({ host, port }: WebTarget, addresses: readonly string[]): ToolError {
  const [address = ""] = addresses;
  const literal = host.replace(/^\[(.*)\]$/, "$1") === address;
  const what = literal ? address : `${host} leads to ${address}, which`;
  return new ToolError("address_refused", `${what} is ${specialAddress(address)}: not fetched`, {
    hint: `fetch_url reaches the public internet alone; the person can add "${host}:${port}" to its option allowPrivate`,
  });
}
