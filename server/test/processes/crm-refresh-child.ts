/**
 * A process for crm/tokens.test.ts that renews the access to a CRM and is killed while it does. Arguments: data folder, database address
 * (or -), the master key (base64), the CRM's address, organisation, member, connection. Says «renewed» if it comes to that.
 */
import { validTokens } from "#server/inbox/crm/tokens.ts";
import { openDatabase } from "#server/platform/db/database.ts";
import { createVault } from "#server/platform/secrets/vault.ts";

const [dataDir = "", address, key = "", root = "", organizationId = "", userId = "", connectionId = ""] =
  process.argv.slice(2);
const { db } = await openDatabase({ databaseUrl: address === "-" ? null : address!, dataDir });
const vault = createVault({ current: 1, keys: new Map([[1, Buffer.from(key, "base64")]]) });
const config = {
  publicUrl: "http://localhost:3000",
  crmApps: { amocrm: null, bitrix24: null },
  crmUrls: { amocrm: root, bitrix24: null },
};
await validTokens({ db, vault, config }, { organizationId, userId }, connectionId, null);
process.stdout.write("renewed\n");
setInterval(() => {}, 1000);
