// What crm.spec.ts and crm.full.spec.ts share.
import type { Page } from "@playwright/test";

export const CRM = "GET /api/crm/integrations";

export const cards = (page: Page) =>
  page
    .getByRole("region", { name: "Подключенные системы" })
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading") });
