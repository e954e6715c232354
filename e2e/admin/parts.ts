import type { Page } from "@playwright/test";

export const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
export const row = (page: Page, name: string) =>
  region(page, "Организации").getByRole("listitem").filter({ hasText: name });
