// What list.spec.ts and list.full.spec.ts share.
import type { Page } from "@playwright/test";

export const row = (name: string) => (page: Page) =>
  page.getByRole("list", { name: "Диалоги" }).getByRole("listitem").filter({ hasText: name });
