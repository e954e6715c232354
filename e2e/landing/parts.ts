import type { Page } from "@playwright/test";
import { expect } from "../support/fixtures.ts";

export const H1 = "ИИ, который отвечает вашими словами";

export const mapOf = (page: Page) => page.getByRole("figure", { name: "Карта экосистемы агентов" });
export const onMap = (page: Page, agent: string) => mapOf(page).getByRole("button", { name: agent, exact: true });
export const gridOf = (page: Page) => page.getByRole("region", { name: "Семь агентов для разных задач" });
export const dialogOf = (page: Page, name: string) => page.getByRole("dialog", { name });
export const pricesButton = (page: Page) => page.getByRole("button", { name: "Посмотреть тарифы" });
export const pricesOf = (page: Page) => page.getByRole("region", { name: "Тарифы" });

/** What React has not taken over yet hears no click. */
export const untilTaken = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(() => Object.keys(document.querySelector("h1") ?? {}).some((key) => key.startsWith("__react"))),
    )
    .toBe(true);

/** The landing page, taken over: what is clicked works. */
export async function openLanding(page: Page, address = "/landing") {
  await page.goto(address);
  await untilTaken(page);
}
