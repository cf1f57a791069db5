/** A mailbox: `Ada Lovelace <ada@example.com>`. */
export interface Address {
  name: string;
  address: string;
}

// ASCII alone: what looks like a letter of an allowed address is none of it.
const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*$/i;
const NAMED = /^(?:([^<>"@,;:\\]*)<([^<>]+)>|([^<>]+))$/;
/** An address, or `*@` and a domain. */
const PATTERN = /^(?:\*|[^*@\s]+)@[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i;

/** Reads `a@b.c` or `Name <a@b.c>`, one address and no list; undefined for anything else. */
export function parseAddress(text: string): Address | undefined {
  const [, name = "", bracketed, bare] = NAMED.exec(text.trim()) ?? [];
  const address = (bracketed ?? bare)?.trim() ?? "";
  return ADDRESS.test(address) ? { name: name.trim(), address } : undefined;
}

export const isRecipientPattern = (text: string): boolean => PATTERN.test(text);

/** Whether the address is one of the patterns, or in the domain of one; capitals don't matter. */
export function isRecipient(address: string, patterns: readonly string[]): boolean {
  const given = address.toLowerCase();
  const domain = given.slice(given.lastIndexOf("@"));
  return patterns.some((pattern) => [given, `*${domain}`].includes(pattern.toLowerCase()));
}
