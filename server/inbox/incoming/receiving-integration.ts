import type { Tenant } from "#server/platform/db/database.ts";

/** An integration with the tenant and the user on whose behalf it works: the twin's owner. */
export interface ReceivingIntegration extends Tenant {
  id: string;
}
