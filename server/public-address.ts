/** Hosts that users name: we speak only to public ones, at the very address that was looked at. */
import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

/** Of IPv4: what is no public unicast address (RFC 6890 and its registry). */
const SPECIAL = new BlockList();
for (const [address, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const) {
  SPECIAL.addSubnet(address, prefix, "ipv4");
}
/** Of IPv6 only global unicast is public; mapped, translated and tunnelled IPv4 addresses are not. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet("2000::", 3, "ipv6");
for (const [address, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  SPECIAL.addSubnet(address, prefix, "ipv6");
}

/** @param address of `isIP` */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !SPECIAL.check(address, "ipv4");
  return isIP(address) === 6 && GLOBAL.check(address, "ipv6") && !SPECIAL.check(address, "ipv6");
}

/** The host is not for us to speak to. */
export class PrivateAddress extends Error {}

/**
 * An address to connect to instead of the name: whatever the name is changed to afterwards, it is this one.
 * @throws PrivateAddress; the resolver's error when there is no such name
 */
export async function publicAddressOf(host: string): Promise<string> {
  const known = isIP(host) === 0 ? await lookup(host, { all: true, order: "ipv4first" }) : [{ address: host }];
  const found = known.find(({ address }) => isPublicAddress(address));
  if (found === undefined) throw new PrivateAddress(`${host} is not public`);
  return found.address;
}
