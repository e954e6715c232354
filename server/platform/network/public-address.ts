/**
 * Prevents requests to internal hosts (SSRF): hosts that users name must be public, and the connection uses exactly the checked IP address.
 */
import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

/** IPv4 ranges that are not public unicast addresses (RFC 6890 and its registry). */
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
/** Global unicast IPv6. Mapped, translated and tunnelled IPv4 addresses do not count as public. */
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

/** @param address that `isIP` accepts */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !SPECIAL.check(address, "ipv4");
  return isIP(address) === 6 && GLOBAL.check(address, "ipv6") && !SPECIAL.check(address, "ipv6");
}

/**
 * Normalises a host for comparison: removes an IPv6 address's brackets and a final dot, and converts to lower case. «localhost.» and
 * «127.0.0.1.» are names of this machine like those without the dot.
 */
export const plainHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/** Whether a host always refers to the machine that resolves it. */
export function isThisMachine(host: string): boolean {
  const plain = plainHost(host);
  const family = isIP(plain);
  return family === 0 ? plain === "localhost" : LOOPBACK.check(plain, family === 4 ? "ipv4" : "ipv6");
}

/** Domains that are resolved on a machine or inside a private network (RFC 6761, 6762, 8375, and common practice). */
const OWN_DOMAINS = ["localhost", "local", "internal", "lan", "home.arpa", "test", "invalid"];

/** Whether a host may be public, judged by its name; the resolved addresses are checked later. */
export function mayBePublic(host: string): boolean {
  const plain = plainHost(host);
  if (isIP(plain) !== 0) return isPublicAddress(plain);
  return /[^.]\.[^.]/.test(plain) && !OWN_DOMAINS.some((own) => plain === own || plain.endsWith(`.${own}`));
}

/** The host is in a private network and must not be contacted. */
export class PrivateAddress extends Error {}

/**
 * Returns an IP address to connect to instead of the name, so that a later change of the name has no effect.
 * @throws PrivateAddress; the resolver's error when there is no such name
 */
export async function publicAddressOf(name: string): Promise<string> {
  const host = plainHost(name);
  if (!mayBePublic(host)) throw new PrivateAddress(`${host} is not public`);
  const known = isIP(host) === 0 ? await lookup(host, { all: true, order: "ipv4first" }) : [{ address: host }];
  const found = known.find(({ address }) => isPublicAddress(address));
  if (found === undefined) throw new PrivateAddress(`${host} is not public`);
  return found.address;
}
