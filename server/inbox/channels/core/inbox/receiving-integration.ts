import type { Tenant } from "#server/platform/db/database.ts";

/** An integration with the tenant and user in whose name it works: the twin's owner. */
export interface ReceivingIntegration extends Tenant {
  id: string;
}
