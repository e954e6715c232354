import type { Locator, Page } from "@playwright/test";
import { expect } from "../support/fixtures.ts";

export const NAME = "Лёша Синицын";
export const CONSENT = /вправе использовать/;

const steps = (page: Page) => page.getByRole("list", { name: "Шаги знакомства" });
export const atStep = (page: Page, name: string) =>
  expect(steps(page).locator('[aria-current="step"]'), `the step is «${name}»`).toContainText(name);
export const stepCard = (page: Page) =>
  page.getByRole("region", { name: /^(Импорт данных|Анализ|Первый ответ|Обратная связь)$/ });
export const english = (page: Page) => stepCard(page).locator('[lang="en"][role="status"]');
export const textOf = async (place: Locator) => (await place.textContent()) ?? "";
export const buttonOf = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
