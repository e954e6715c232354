import { ShownIntegration } from "#web/integrations/shown-integration.ts";

/** Stand on /crm when the server returns nothing. */
export const sampleCrmIntegrations = [
  {
    id: "sample-salesforce",
    platform: "salesforce",
    status: "active",
    messagesHandled: 12_470,
    lastSync: "2025-11-20T10:00:00.000Z",
  },
  {
    id: "sample-hubspot",
    platform: "hubspot",
    status: "active",
    messagesHandled: 8_920,
    lastSync: "2025-11-20T09:30:00.000Z",
  },
  {
    id: "sample-telegram",
    platform: "telegram",
    status: "inactive",
    messagesHandled: 2_347,
    lastSync: "2025-11-18T18:15:00.000Z",
  },
].map((entry) => ShownIntegration.parse(entry));
