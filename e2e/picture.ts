// Makes docs/picture.png: the demo workspace's first twin, asked on a server that is started for it. `npm run picture`
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import config from "../playwright.config.ts";
import { startServer } from "./servers/server.ts";
import { expect } from "./support/fixtures.ts";
import { asDemoUser } from "./support/session.ts";
import { DESKTOP } from "./support/viewports.ts";

const QUESTIONS = ["Здравствуйте! Вы на связи?", "За сколько дней доставите в Москву?"];

const dataFolder = await mkdtemp(join(tmpdir(), "twins-picture-"));
const server = await startServer(dataFolder);
const browser = await chromium.launch(config.use?.launchOptions);
try {
  const page = await browser.newPage({
    baseURL: server.url,
    locale: "ru-RU",
    timezoneId: "Europe/Moscow",
    viewport: DESKTOP,
    colorScheme: "light",
    reducedMotion: "reduce",
  });
  await asDemoUser(page);
  await page.goto("/twins");
  const row = page.getByRole("list").getByRole("listitem").filter({ hasText: "Полтора чайника" });
  await row.waitFor();
  await expect(page.getByText("В обучении", { exact: true })).toHaveCount(0, { timeout: 60_000 });
  await row.getByRole("button", { name: "Тест чат" }).click();
  const toast = page.getByRole("region", { name: /^Уведомления/ }).getByRole("listitem");
  for (const question of QUESTIONS) {
    await page.getByLabel("Сообщение").fill(question);
    await page.keyboard.press("Enter");
    await toast.getByRole("button", { name: "Закрыть уведомление" }).click();
    await expect(toast).toHaveCount(0);
  }
  await page.screenshot({ path: join(import.meta.dirname, "../docs/picture.png") });
} finally {
  await browser.close();
  await server.stop();
  await rm(dataFolder, { recursive: true, force: true, maxRetries: 5 });
}
