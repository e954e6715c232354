// What talk.spec.ts and talk.full.spec.ts share.
import type { Page } from "@playwright/test";

export const talkOf = (page: Page) => page.getByRole("region", { name: "Спросите двойника сами" });
export const logOf = (page: Page) => talkOf(page).getByRole("log");
export const fieldOf = (page: Page) => talkOf(page).getByLabel("Ваш вопрос");
