import { BlockList, isIP } from "node:net";

type Range = readonly [network: string, prefix: number, name: string];

/** From the IANA IPv4 Special-Purpose Address Registry, and Azure's platform address, which is outside of it. */
const IPV4: readonly Range[] = [
  ["0.0.0.0", 8, "this host"],
  ["10.0.0.0", 8, "private"],
  ["100.64.0.0", 10, "shared by carriers (CGNAT)"],
  ["127.0.0.0", 8, "this machine (loopback)"],
  ["168.63.129.16", 32, "of the cloud's platform (metadata)"],
  ["169.254.0.0", 16, "link-local (cloud metadata)"],
  ["172.16.0.0", 12, "private"],
  ["192.0.0.0", 24, "reserved for protocols"],
  ["192.0.2.0", 24, "reserved for documentation"],
  ["192.31.196.0", 24, "reserved for AS112"],
  ["192.52.193.0", 24, "reserved for AMT"],
  ["192.88.99.0", 24, "a 6to4 relay"],
  ["192.168.0.0", 16, "private"],
  ["192.175.48.0", 24, "reserved for AS112"],
  ["198.18.0.0", 15, "reserved for benchmarks"],
  ["198.51.100.0", 24, "reserved for documentation"],
  ["203.0.113.0", 24, "reserved for documentation"],
  ["224.0.0.0", 4, "multicast"],
  ["240.0.0.0", 4, "reserved or broadcast"],
];

/** Names for what the IANA IPv6 Special-Purpose Address Registry lists; all outside 2000::/3 is refused anyway. */
const IPV6: readonly Range[] = [
  ["::", 128, "this host"],
  ["::1", 128, "this machine (loopback)"],
  ["::ffff:0:0", 96, "an IPv4 address mapped to IPv6"],
  ["::", 96, "an IPv4 address in IPv6"],
  ["64:ff9b::", 96, "an IPv4 address behind NAT64"],
  ["64:ff9b:1::", 48, "an IPv4 address behind NAT64"],
  ["2001::", 32, "a Teredo tunnel"],
  ["2001::", 23, "reserved for protocols"],
  ["2001:db8::", 32, "reserved for documentation"],
  ["2002::", 16, "a 6to4 tunnel"],
  ["3fff::", 20, "reserved for documentation"],
  ["fc00::", 7, "private (unique local)"],
  ["fe80::", 10, "link-local"],
  ["fec0::", 10, "private (site-local)"],
  ["ff00::", 8, "multicast"],
];

/** Each family has lists of its own: Node's BlockList takes every IPv4 address for one in ::ffff:0:0/96. */
const named = (ranges: readonly Range[], family: "ipv4" | "ipv6"): (readonly [BlockList, string])[] =>
  ranges.map(([network, prefix, name]) => [subnet(network, prefix, family), name]);

function subnet(network: string, prefix: number, family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  list.addSubnet(network, prefix, family);
  return list;
}

const SPECIAL_IPV4 = named(IPV4, "ipv4");
const SPECIAL_IPV6 = named(IPV6, "ipv6");
const GLOBAL_IPV6 = subnet("2000::", 3, "ipv6");

/** What an IP address is where it is none of the public internet, in words; undefined for a public one. */
export function specialAddress(address: string): string | undefined {
  const plain = address.replace(/%.*$/s, "");
  switch (isIP(plain)) {
    case 4:
      return SPECIAL_IPV4.find(([list]) => list.check(plain, "ipv4"))?.[1];
    case 6: {
      const name = SPECIAL_IPV6.find(([list]) => list.check(plain, "ipv6"))?.[1];
      return name ?? (GLOBAL_IPV6.check(plain, "ipv6") ? undefined : "outside the public internet");
    }
    default:
      return "no IP address";
  }
}
