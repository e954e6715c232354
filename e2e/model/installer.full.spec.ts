// Who installs the server becomes the one who runs it; the demo account never does.
import type { Page } from "@playwright/test";
import { onOwnServer } from "../servers/demo-data.ts";
import { READY_MS, type StartedServer } from "../servers/server.ts";
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { test as base, expect } from "../support/fixtures.ts";
import { asDemoUser } from "../support/session.ts";
import { expectToast } from "../support/toast.ts";

const own = (environment: Record<string, string>) =>
  base.extend<object, { installed: StartedServer }>({
    installed: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here.
      async ({}, use) => onOwnServer(environment, use),
      { scope: "worker", timeout: READY_MS + 15_000 },
    ],
    baseURL: async ({ installed }, use) => use(installed.url),
  });

/** Fills in the form, and opens the link that the server has printed in a line of its own. */
async function registerAndConfirm(page: Page, server: StartedServer, email: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Пароль", { exact: true }).fill("copper and patina");
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Зарегистрироваться" }).click();
  await expect(page.getByRole("region", { name: "Подтверждение email" })).toContainText(
    "ссылка напечатана там, где запущен сервер",
  );
  const printed = new RegExp(`^SMTP_URL не задан, .*${email}.*: https?://[^/]+(/confirm-email\\?token=[\\w-]+)$`, "m");
  await expect.poll(() => printed.exec(server.log())?.[1]).toBeDefined();
  await page.goto(printed.exec(server.log())![1]!);
  await expect(page.getByRole("status").filter({ hasText: "Адрес подтверждён" })).toBeVisible();
}

const here = own({});
here.describe("on this machine", () => {
  here(
    "the demo account is told how to run the installation, and the first account that confirms its address runs it",
    async ({ page, installed }) => {
      expect(installed.log()).toMatch(/^Администратора у установки ещё нет\. Им станет первый аккаунт.*\/register/m);
      await asDemoUser(page);
      await page.goto("/model");
      const card = page.getByRole("region", { name: "У этой установки ещё нет администратора" });
      await expect(card).toContainText("Демо-аккаунт общий, поэтому ничем из этого не управляет");
      await expect(page.getByText("Все модели", { exact: true })).toHaveCount(0);
      await expectAccessibleCrosswise(page, "/model of the demo account");
      await expectNoSidewaysScroll(page);
      await page.goto("/platform-health");
      await expect(card).toBeVisible();
      await card.getByRole("button", { name: "Выйти и зарегистрироваться" }).click();
      await expect(page).toHaveURL("/register");
      await registerAndConfirm(page, installed, "installer@example.com");
      await expect(page.getByText("Адрес подтверждён. Спасибо! Вы администратор этой установки.")).toBeVisible();
      await page.goto("/model");
      await expect(page.getByText("Все модели", { exact: true })).toBeVisible();
      await expect(card).toHaveCount(0);
      await asDemoUser(page);
      await page.goto("/model");
      await expect(page.getByRole("region", { name: "Это решает администратор установки" })).toBeVisible();
    },
  );
});

const there = own({ PUBLIC_URL: "http://twins.example.test" });
there.describe("where others reach the server", () => {
  there("a confirmed account enters the code that the server has printed", async ({ page, installed }) => {
    const code = /^Администратора у установки ещё нет\. .*код администратора: (\S+)$/m.exec(installed.log())![1]!;
    await page.goto("/register");
    await registerAndConfirm(page, installed, "installer@example.com");
    const card = page.getByRole("region", { name: "У этой установки ещё нет администратора" });
    await card.getByLabel("Код администратора").fill("AAAA-AAAA-AAAA");
    await card.getByRole("button", { name: "Стать администратором" }).click();
    await expect(card.getByText("Это не тот код.")).toBeVisible();
    await expectAccessibleCrosswise(page, "the code of the installation is asked");
    await card.getByLabel("Код администратора").fill(code);
    await card.getByRole("button", { name: "Стать администратором" }).click();
    await expectToast(page, "Вы администратор этой установки");
    await expect(card).toHaveCount(0);
    await page.goto("/model");
    await expect(page.getByText("Все модели", { exact: true })).toBeVisible();
  });
});
