// Pasted conversations of /train-ai against answers of the test's own.
import { buildSource } from "../factories/knowledge.ts";
import { anna } from "../knowledge/answering-knowledge.ts";
import { expectAccessible } from "../support/accessibility.ts";
import { fails, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectToast } from "../support/toast.ts";
import { answeringTraining } from "./answering-training.ts";

const PASTE = [
  "Мария: Добрый день! Подскажите, пожалуйста, когда приедет заказ?",
  "",
  "Вы: Здравствуйте! Завтра с 10 до 14, курьер позвонит",
  "Мария: Спасибо большое, буду ждать",
].join("\n");

test("a pasted conversation shows who is who before it is sent", async ({ page }) => {
  let sent: { messages: { content: string; role: string; timestamp: string }[] } | undefined;
  await answeringTraining(page, {
    "GET /api/conversations": json([]),
    "GET /api/knowledge-base/sources": json([buildSource(1)]),
    "POST /api/conversations/upload": (_route, request) => {
      sent = request.postDataJSON() as typeof sent;
      return { imported: 3, fromOwner: 1, duplicates: 0, sourceId: "s1" };
    },
  });
  await page.goto("/train-ai");
  await page.getByRole("tab", { name: "Примеры диалогов" }).click();
  await expect(page).toHaveURL(/tab=dialogues/);
  await expect(page.getByRole("region", { name: "Загруженные документы" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Загруженные переписки" })).toContainText("Источник 1");
  await page.getByRole("button", { name: "Загрузить переписку" }).click();
  for (const message of [
    "Выберите платформу",
    "Имя участника обязательно",
    "История переписки должна содержать минимум 100 символов",
  ]) {
    await expect(page.getByText(message, { exact: true })).toBeVisible();
  }
  await page.getByLabel("Платформа").selectOption("whatsapp");
  await page.getByLabel("Имя участника").fill("Мария");
  await page.getByLabel("История переписки").fill(PASTE.replace("Вы: ", ""));
  await expect(page.getByText("Ни одной вашей реплики")).toBeVisible();
  await page.getByLabel("История переписки").fill(PASTE);
  await expect(page.getByText("Ваших реплик: 1")).toBeVisible();
  await expect(page.getByText("Реплик собеседника: 2")).toBeVisible();
  await expectAccessible(page, "a pasted conversation shows who is who before it is sent");
  await page.getByRole("button", { name: "Загрузить переписку" }).click();
  await expectToast(page, "Переписка загружена!");
  const timestamp = sent?.messages[0]?.timestamp ?? "";
  expect(Math.abs(Date.now() - Date.parse(timestamp))).toBeLessThan(60_000);
  const [asked, , replied, thanked] = PASTE.split("\n");
  expect(sent).toEqual({
    digitalTwinId: anna.id,
    platform: "whatsapp",
    messages: [
      { content: asked, role: "user", timestamp },
      { content: replied, role: "assistant", timestamp },
      { content: thanked, role: "user", timestamp },
    ],
    participants: ["Мария"],
  });
});

test("a refused conversation is explained in the server's words", async ({ page }) => {
  await answeringTraining(page, { "POST /api/conversations/upload": fails(409, "Двойник сейчас удаляется") });
  await page.goto("/train-ai?tab=dialogues");
  await expect(page.getByText(/чужие хранятся/)).toBeVisible();
  await page.getByLabel("Платформа").selectOption("email");
  await page.getByLabel("Имя участника").fill("Мария");
  await page.getByLabel("История переписки").fill(PASTE);
  await page.getByRole("button", { name: "Загрузить переписку" }).click();
  await expectToast(page, "Ошибка загрузки переписки");
  await expectToast(page, "Двойник сейчас удаляется");
  await expect(page.getByLabel("История переписки")).toHaveValue(PASTE);
});
