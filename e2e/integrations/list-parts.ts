// What list.spec.ts and list.full.spec.ts share.
import type { Page } from "@playwright/test";

export const LIST = "GET /api/integrations";

export const rows = (page: Page) =>
  page
    .getByRole("region", { name: /^Активные интеграции/ })
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading") });
