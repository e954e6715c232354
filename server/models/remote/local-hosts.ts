import { plainHost } from "#server/platform/network/public-address.ts";

/** Returns the host of a model's address in the form for comparison and display: lower case, an IPv6 address without brackets. */
export const hostOf = (address: string): string => plainHost(new URL(address).hostname);

/** @param address of a model @param hosts config.localModelHosts */
export const isLocalModel = (address: string, hosts: readonly string[]): boolean => hosts.includes(hostOf(address));
