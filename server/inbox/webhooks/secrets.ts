import { randomBytes } from "node:crypto";
import type { Vault } from "#server/platform/secrets/vault.ts";

/** Milliseconds during which both secrets sign after a change, so that the receiver can switch. */
export const OVERLAP_MS = 24 * 3600_000;

/** Standard Webhooks: 24 to 64 random bytes, base64, after «whsec_». */
export const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

type Column = "secret" | "previous_secret";
const placeOf = ({ id, orgId }: { id: string; orgId: string }, column: Column) => ({
  table: "webhooks",
  tenant: orgId,
  row: id,
  column,
});

export const sealSecret = (vault: Vault, row: { id: string; orgId: string }, column: Column, secret: string): Buffer =>
  vault.seal(placeOf(row, column), secret);
/** @throws VaultError */
export const openSecret = (vault: Vault, row: { id: string; orgId: string }, column: Column, sealed: Buffer): string =>
  vault.open(placeOf(row, column), sealed);
