/** The proxy of a tool, a table or a connection at rest. */
import { proxyLabel } from "#contract/integrations/proxy-address.ts";
import type { ProxySettings } from "#server/platform/network/connect.ts";
import { type Vault, VaultError } from "#server/platform/secrets/vault.ts";

type ProxyTable = "tools" | "tool_tables" | "tool_connections";

interface Place {
  id: string;
  orgId: string;
}

const placeOf = (table: ProxyTable, { id, orgId }: Place) => ({ table, tenant: orgId, row: id, column: "proxy" });

export const sealProxy = (vault: Vault, table: ProxyTable, place: Place, proxy: ProxySettings | null): Buffer | null =>
  proxy === null ? null : vault.seal(placeOf(table, place), JSON.stringify(proxy));

/** @returns null: requests go directly. @throws VaultError */
export const openProxy = (
  vault: Vault,
  table: ProxyTable,
  row: Place & { proxy: Buffer | null },
): ProxySettings | null =>
  row.proxy === null ? null : (JSON.parse(vault.open(placeOf(table, row), row.proxy)) as ProxySettings);

/** «SOCKS5 proxy.example.com:1080», by which its owner recognises it; null: there is none. */
export function shownProxy(vault: Vault, table: ProxyTable, row: Place & { proxy: Buffer | null }): string | null {
  try {
    const proxy = openProxy(vault, table, row);
    return proxy && proxyLabel(proxy.address);
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    // A list is shown though one of its secrets is lost.
    return "не читается, введите снова";
  }
}
