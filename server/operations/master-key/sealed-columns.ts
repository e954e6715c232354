/** Lists every column that the vault encrypts, with the place to which its values are bound. A test compares the list with the database. */
import type { SecretPlace } from "#server/platform/secrets/vault.ts";

export interface SealedColumn {
  table: string;
  column: string;
  key: readonly string[];
  /** The column with the organisation's id, or the text that replaces it in a table of the platform. */
  tenant: { column: string } | { text: string };
  /** Returns the `row` of the place, from the values of `key`. */
  row(key: readonly string[]): string;
}

const byId = (table: string, column: string): SealedColumn => ({
  table,
  column,
  key: ["id"],
  tenant: { column: "org_id" },
  row: ([id]) => id!,
});

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  byId("integrations", "credentials"),
  byId("integrations", "webhook_secret"),
  byId("telegram_logins", "state"),
  byId("crm_connections", "tokens"),
  byId("crm_sign_ins", "app"),
  {
    table: "second_factors",
    column: "secret",
    key: ["user_id"],
    tenant: { text: "platform" },
    row: ([user]) => user!,
  },
  {
    table: "push_keys",
    column: "private_key",
    key: ["id"],
    tenant: { text: "platform" },
    row: ([id]) => id!,
  },
  byId("tools", "headers"),
  byId("tools", "proxy"),
  byId("tool_connections", "secrets"),
  byId("tool_connections", "proxy"),
  byId("tool_tables", "proxy"),
  byId("webhooks", "secret"),
  byId("webhooks", "previous_secret"),
  {
    table: "remote_models",
    column: "api_key",
    key: ["org_id"],
    tenant: { column: "org_id" },
    row: ([organization]) => organization!,
  },
  {
    table: "media_readers",
    column: "api_key",
    key: ["org_id", "kind"],
    tenant: { column: "org_id" },
    row: ([organization, kind]) => `${organization}:${kind}`,
  },
  {
    table: "channel_state",
    column: "value",
    key: ["integration_id", "key"],
    tenant: { column: "org_id" },
    row: ([integration, key]) => `${integration}:${key}`,
  },
];

export const placeOf = (column: SealedColumn, key: readonly string[], tenant: string): SecretPlace => ({
  table: column.table,
  tenant,
  row: column.row(key),
  column: column.column,
});
