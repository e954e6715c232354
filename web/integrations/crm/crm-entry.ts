import { crmShares } from "#web/display-values.ts";
import { isActive, type ShownIntegration } from "#web/integrations/shown-integration.ts";
import { platformName } from "#web/ui/platform-icon.tsx";

export interface CrmEntry {
  id: string;
  name: string;
  type: "Messaging" | "Enterprise CRM" | "Integration";
  status: "connected" | "disconnected" | "error";
  leads: number;
  deals: number;
  lastSync: string | null;
  /** null when nothing was synchronised yet. */
  updatedAt: string | null;
  integration: ShownIntegration;
}

/** How /crm shows an integration: everything is derived from its platform, status and handled messages. */
export function crmEntryOf(integration: ShownIntegration): CrmEntry {
  const { id, platform, status, lastSync, updatedAt } = integration;
  const handled = Math.max(0, integration.messagesHandled ?? 0);
  return {
    id,
    name: platform === "salesforce" ? "Salesforce" : platform === "hubspot" ? "HubSpot" : platformName(platform),
    type: typeOf(platform),
    status: isActive(integration) ? "connected" : status === "inactive" ? "disconnected" : "error",
    leads: share(handled, crmShares.leadsPercent),
    deals: share(handled, crmShares.dealsPercent),
    lastSync: lastSync ?? null,
    updatedAt: updatedAt ?? null,
    integration,
  };
}

// Computed with integers, because 0.1 × 30 exceeds 3 in floating point.
const share = (of: number, percent: number) => Math.floor((of * percent) / 100);

function typeOf(platform: string): CrmEntry["type"] {
  if (platform === "telegram" || platform === "whatsapp") return "Messaging";
  return platform === "salesforce" ? "Enterprise CRM" : "Integration";
}

/** Platforms of the list that are CRM systems. All others are channels, listed with their leads and deals. */
const CRM_PLATFORMS: ReadonlySet<string> = new Set(["salesforce", "hubspot"]);

export const isChannel = ({ integration }: CrmEntry): boolean => !CRM_PLATFORMS.has(integration.platform);

const isConnected = ({ status }: CrmEntry): boolean => status === "connected";

export interface CrmFigures {
  /** Number of entries whose status is `connected`, as specified; that one has no connection just now is said beside it. */
  connected: number;
  /** How many of them are channels and no CRM systems. */
  channels: number;
  leads: number;
  deals: number;
}

export function crmFigures(entries: readonly CrmEntry[]): CrmFigures {
  const sum = (value: (entry: CrmEntry) => number) => entries.reduce((total, entry) => total + value(entry), 0);
  return {
    connected: entries.filter(isConnected).length,
    channels: entries.filter((entry) => isConnected(entry) && isChannel(entry)).length,
    leads: sum(({ leads }) => leads),
    deals: sum(({ deals }) => deals),
  };
}
