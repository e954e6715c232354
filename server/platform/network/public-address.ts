/** Guards against requests to internal hosts (SSRF): hosts that users name must be public, and exactly the checked IP address is used. */
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
/** The public part of IPv6: global unicast. Mapped, translated and tunnelled IPv4 addresses are not public. */
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

/**
 * The host as it is compared: without an IPv6 address's brackets, the root's dot at its end, or capitals. «localhost.» and
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

/** Whether a host can only lead to the machine that names it. */
export function isThisMachine(host: string): boolean {
  const plain = plainHost(host);
  const family = isIP(plain);
  return family === 0 ? plain === "localhost" : LOOPBACK.check(plain, family === 4 ? "ipv4" : "ipv6");
}

/** Names that are resolved on a machine or inside one's own network (RFC 6761, 6762, 8375, and what is in use). */
const OWN_DOMAINS = ["localhost", "local", "internal", "lan", "home.arpa", "test", "invalid"];

/** Whether a host may be public, judged by the name alone; the addresses that it resolves to are checked later. */
export function mayBePublic(host: string): boolean {
  const plain = plainHost(host);
  if (isIP(plain) !== 0) return isPublicAddress(plain);
  return /[^.]\.[^.]/.test(plain) && !OWN_DOMAINS.some((own) => plain === own || plain.endsWith(`.${own}`));
}

/** The host is not for us to speak to. */
export class PrivateAddress extends Error {}

/**
 * An address to connect to instead of the name: whatever the name is changed to afterwards, it is this one.
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
