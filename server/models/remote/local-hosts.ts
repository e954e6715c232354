import { plainHost } from "#server/platform/network/public-address.ts";

/** The host of a model's address, as it is compared and shown: in small letters, an IPv6 address without brackets. */
export const hostOf = (address: string): string => plainHost(new URL(address).hostname);

/** @param address of a model; @param hosts config.localModelHosts */
export const isLocalModel = (address: string, hosts: readonly string[]): boolean => hosts.includes(hostOf(address));
