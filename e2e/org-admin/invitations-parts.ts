// What invitations.spec.ts and invitations.full.spec.ts share.
import type { Page } from "@playwright/test";

export async function openInvite(page: Page) {
  await page.getByRole("button", { name: "Invite User" }).click();
  return page.getByRole("dialog", { name: "Invite User" });
}
