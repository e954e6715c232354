/**
 * The address at which a platform delivers an integration's events. It reveals nothing about the integration, and each has its own secret.
 */
import { randomBytes } from "node:crypto";
import { mayBePublic } from "#server/platform/network/public-address.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import type { CredentialsRow } from "./credentials.ts";

export const WEBHOOK_ROOT = "/hooks";

const secretPlace = ({ id, orgId }: CredentialsRow) => ({
  table: "integrations",
  tenant: orgId,
  row: id,
  column: "webhook_secret",
});

interface WebhookColumns {
  webhookPath: string;
  webhookSecret: Buffer;
}

export function newWebhook(vault: Vault, row: CredentialsRow): WebhookColumns {
  const [path, secret] = [randomBytes(32).toString("base64url"), randomBytes(32).toString("base64url")];
  return { webhookPath: path, webhookSecret: vault.seal(secretPlace(row), secret) };
}

/** @throws VaultError */
export const openWebhookSecret = (vault: Vault, row: CredentialsRow, sealed: Buffer): string =>
  vault.open(secretPlace(row), sealed);

export const webhookUrl = (publicUrl: string, path: string): string => `${publicUrl}${WEBHOOK_ROOT}/${path}`;

/** Returns whether platforms can reach the server: they need https and an address outside this machine and its network. */
export function isReachable(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === "https:" && mayBePublic(hostname);
}
