// /model: an organisation chooses who reads recordings and pictures; what is wrong stands at its field, the key is kept and not shown.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { asSuperAdmin } from "../support/super-admin.ts";
import { expectToast } from "../support/toast.ts";

async function startService(): Promise<{ server: Server; baseUrl: string }> {
  const server = createServer(async (request, response) => {
    for await (const _ of request) {
      // Read to its end.
    }
    const known = request.headers.authorization === "Bearer right-key";
    response.writeHead(known ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify(known ? { text: "" } : { error: {} }));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return { server, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

test("the operator connects a service for speech, tries it out, and switches it off again", async ({ page }) => {
  const service = await startService();
  await asSuperAdmin(page);
  await page.goto("/model?tab=media");
  const card = page.getByRole("region", { name: "Голосовые сообщения" });
  await expect(card.getByText("Не распознаются")).toBeVisible();
  await expect(page.getByRole("region", { name: "Картинки" }).getByText("Не распознаются")).toBeVisible();
  await card.getByLabel("Кто распознаёт").selectOption("endpoint");
  await card.getByRole("button", { name: "Сохранить" }).click();
  await expect(card.getByLabel("Адрес")).toBeFocused();
  await card.getByLabel("Адрес").fill(service.baseUrl);
  await card.getByLabel("Модель").fill("whisper-1");
  await card.getByLabel("API-ключ").fill("wrong-key");
  await card.getByRole("button", { name: "Проверить" }).click();
  await expect(card.getByRole("status")).toContainText("не принял ключ");
  await card.getByLabel("API-ключ").fill("right-key");
  await card.getByRole("button", { name: "Проверить" }).click();
  await expect(card.getByRole("status")).toContainText("Сервис ответил на образец");
  await card.getByLabel("Длина записи, секунд").fill("много");
  await card.getByRole("button", { name: "Сохранить" }).click();
  await expect(card.getByText("Длина записи — от 10 до 600 секунд")).toBeVisible();
  await card.getByLabel("Длина записи, секунд").fill("90");
  await expectAccessibleCrosswise(page, "a service that reads speech");
  await card.getByRole("button", { name: "Сохранить" }).click();
  await expectToast(page, "Распознавание включено");
  await expect(card.getByText("Распознаются", { exact: true })).toBeVisible();
  await expect(card.getByText(/Сегодня распознано: 0 из/)).toBeVisible();
  await page.reload();
  await expect(card.getByLabel("API-ключ")).toHaveValue("");
  await expect(card.getByText("Сохранён в зашифрованном виде")).toBeVisible();
  await card.getByLabel("Кто распознаёт").selectOption("off");
  await card.getByRole("button", { name: "Сохранить" }).click();
  await expect(card.getByText("Не распознаются")).toBeVisible();
  service.server.closeAllConnections();
  service.server.close();
});
