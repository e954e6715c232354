import type { Page } from "@playwright/test";
import { asOwner } from "../support/owner.ts";

/** Parts of the screen of conversations, and somebody who has one. */
export const list = (page: Page) => page.getByRole("list", { name: "Диалоги" });
export const rows = (page: Page) => list(page).getByRole("listitem");
export const openButton = (page: Page, place: number) =>
  rows(page)
    .nth(place)
    .getByRole("button", { name: /^Открыть чат/ });
export const thread = (page: Page) => page.getByRole("region", { name: /^Диалог:/ });
export const log = (page: Page) => page.getByRole("log", { name: "Сообщения" });
export const input = (page: Page) => page.getByRole("textbox", { name: "Сообщение" });

/** An act of the open conversation below a desk, where it stands in the menu of its one bar. */
export async function actInMenu(page: Page, name: string) {
  await page.getByRole("button", { name: "Действия с диалогом" }).click();
  await page.getByRole("menuitem", { name }).click();
}

/** Somebody new with a twin, whom `ask` puts a question. */
export async function withTwin(page: Page) {
  const owner = await asOwner(page);
  const ask = (message: string, twinId = owner.id) => owner.post("/api/ai-generate", { twinId, message });
  return { ...owner, ask };
}
