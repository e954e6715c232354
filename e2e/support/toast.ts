import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** The one toast. An open dialog hides its region from the tree; Radix announces it apart. */
export const toast = (page: Page) =>
  page.getByRole("region", { name: /^Уведомления/, includeHidden: true }).locator("li");

export async function expectToast(page: Page, title: string | RegExp, description?: string | RegExp) {
  await expect(toast(page)).toContainText(title);
  if (description !== undefined) await expect(toast(page)).toContainText(description);
}

/** Both its lines are these words and no others. */
export async function expectWholeToast(page: Page, title: string, description: string) {
  await expect(toast(page).getByText(title, { exact: true })).toBeVisible();
  await expect(toast(page).getByText(description, { exact: true })).toBeVisible();
}
