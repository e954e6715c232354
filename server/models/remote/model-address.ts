import { BlockList, isIP } from "node:net";
import { plainHost } from "#server/platform/network/public-address.ts";

const PRIVATE = new BlockList();
for (const [address, prefix] of [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["100.64.0.0", 10],
] as const) {
  PRIVATE.addSubnet(address, prefix, "ipv4");
}
PRIVATE.addSubnet("::1", 128, "ipv6");
PRIVATE.addSubnet("fc00::", 7, "ipv6");
PRIVATE.addSubnet("fe80::", 10, "ipv6");

/**
 * Whether a model at this address belongs to someone else, so that private data is redacted before it is sent. Loopback, private networks,
 * single-label names (containers) and .local, .internal, .lan, .home.arpa belong to the operator.
 */
export function isForeign(baseUrl: string): boolean {
  const host = plainHost(new URL(baseUrl).hostname);
  const version = isIP(host);
  if (version !== 0) return !PRIVATE.check(host, version === 4 ? "ipv4" : "ipv6");
  if (host === "localhost" || host.endsWith(".localhost") || !host.includes(".")) return false;
  return !/\.(?:local|internal|lan|home\.arpa)$/.test(host);
}
