import type { Page } from "@playwright/test";

/** The field «Платформа» of /add-integration. */
export const platformGroup = (page: Page) => page.getByRole("group", { name: "Платформа" });

export const platformRadio = (page: Page, platform: string) => platformGroup(page).locator(`input[value=${platform}]`);

export const choosePlatform = (page: Page, platform: string) => platformRadio(page, platform).check();

/** One of Telegram's two ways. */
export const takeWay = (page: Page, name: "Бот" | "Личный аккаунт") =>
  page.getByRole("group", { name: "Способ подключения" }).getByRole("radio", { name }).check();
