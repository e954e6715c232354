import { ShownIntegration } from "#web/integrations/shown-integration.ts";

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

/** Shown on /crm when the server returns nothing. */
export const sampleCrmIntegrations = [
  {
    id: "sample-salesforce",
    platform: "salesforce",
    status: "active",
    messagesHandled: 12_470,
    lastSync: hoursAgo(2),
  },
  {
    id: "sample-hubspot",
    platform: "hubspot",
    status: "active",
    messagesHandled: 8_920,
    lastSync: hoursAgo(3),
  },
  {
    id: "sample-telegram",
    platform: "telegram",
    status: "inactive",
    messagesHandled: 2_347,
    lastSync: hoursAgo(42),
  },
].map((entry) => ShownIntegration.parse(entry));
