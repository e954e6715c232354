// What list.spec.ts and list.full.spec.ts share.
import type { Page } from "@playwright/test";

export const row = (page: Page, name: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) });
