/** Credentials of connected accounts, stored encrypted in `integrations.credentials` and decrypted only for their channel. */
import * as z from "zod/mini";
import { ChannelPlatform, type NewCredentials } from "#contract/integrations/integrations.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { type Credentials, platformOf } from "./registry.ts";

const server = { host: z.string(), port: z.number() };
const ofServer = { ...server, user: z.nullable(z.string()), password: z.nullable(z.string()) };
/** A proxy among the credentials, as `ProxySettings`. */
export const StoredProxy = z.object({
  address: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("mtproxy"), ...server, secret: z.string() }),
    z.object({ kind: z.enum(["socks5", "http", "https"]), ...ofServer }),
  ]),
  mayBePrivate: z.boolean(),
});
const Stored = z.looseObject({ platform: ChannelPlatform, proxy: z.optional(StoredProxy) });

export function credentialsOf(input: NewCredentials): Credentials {
  const { credentialsOf: ofPlatform } = platformOf(input.platform);
  if (ofPlatform === undefined) throw new Error(`${input.platform} is not connected by a form`);
  return ofPlatform(input);
}

/** The row to which the encrypted value is bound. */
export interface CredentialsRow {
  id: string;
  orgId: string;
}

const placeOf = ({ id, orgId }: CredentialsRow) => ({
  table: "integrations",
  tenant: orgId,
  row: id,
  column: "credentials",
});

export function sealCredentials(vault: Vault, row: CredentialsRow, credentials: Credentials): Buffer {
  return vault.seal(placeOf(row), JSON.stringify(credentials));
}

/**
 * Decrypts credentials for a channel; the result must not reach a response, a log or a job.
 * @throws VaultError
 */
export function openCredentials(vault: Vault, row: CredentialsRow & { credentials: Buffer }): Credentials {
  const stored = z.parse(Stored, JSON.parse(vault.open(placeOf(row), row.credentials)));
  const credentials = z.parse(platformOf(stored.platform).credentials, stored);
  return stored.proxy === undefined ? credentials : { ...credentials, proxy: stored.proxy };
}
