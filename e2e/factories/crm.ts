import type { CrmConnection, CrmOverview } from "#contract/integrations/crm.ts";
import { NOW, uuid } from "./ids.ts";

export const buildCrm = (own: Partial<CrmOverview> = {}): CrmOverview => ({
  systems: [
    { system: "amocrm", ready: true },
    { system: "bitrix24", ready: false },
  ],
  redirectUrl: "https://twins.example.ru/crm",
  connections: [],
  choices: [],
  ...own,
});

export const buildCrmConnection = (own: Partial<CrmConnection> = {}): CrmConnection => ({
  id: uuid(700),
  system: "amocrm",
  host: "company.amocrm.ru",
  state: "connected",
  reason: null,
  connectedAt: NOW,
  cards: { made: 12, waiting: 0, failed: 0 },
  lastFailure: null,
  ...own,
});
