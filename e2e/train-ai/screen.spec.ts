// The screen of /train-ai against answers of the test's own: the training that is followed, who may only look, space, and its looks.
import { buildTraining } from "../factories/twin.ts";
import { anna } from "../knowledge/answering-knowledge.ts";
import { expectAccessible } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { answeringTraining } from "./answering-training.ts";

test("the training is followed to its end", async ({ page }) => {
  let state = buildTraining({ status: "training", running: true, progress: 0.4, stage: "Изучаем манеру" });
  await answeringTraining(page, { [`GET /api/digital-twins/${anna.id}/training`]: () => state });
  await page.goto("/train-ai");
  const card = page.getByRole("region", { name: "Анна Петрова" });
  await expect(card).toContainText("В обучении");
  await expect(card).toContainText("Изучаем манеру");
  await expect(card.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "40");
  const error = "Сервер эмбеддингов не отвечает. Мы попробуем ещё раз.";
  state = buildTraining({ chunks: 21, messages: 1234, embeddings: { ready: false, units: 0, total: 21, error } });
  await expect(card).toContainText("Готов");
  await expect(card).toContainText(/фрагмент\s*21/);
  await expect(card).toContainText(/сообщения\s*1\s234/);
  await expect(card).toContainText(`двойник ищет по словам. ${error}`);
});

test("on a phone the form comes before the state of the training, so that work is not below figures", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await answeringTraining(page);
  await page.goto("/train-ai");
  const form = await page.getByRole("region", { name: "Загрузить документ" }).boundingBox();
  const training = await page.getByRole("region", { name: "Анна Петрова" }).boundingBox();
  expect(form!.y).toBeLessThan(training!.y);
});

test("empty, slow and failing answers have their own looks", async ({ page }) => {
  const held = Promise.withResolvers<void>();
  await answeringTraining(page, {
    "GET /api/digital-twins": async () => {
      await held.promise;
      return [];
    },
  });
  await page.goto("/train-ai");
  await expect(page.getByLabel("Название документа")).toBeVisible();
  await expect(page.getByText("Документы пока не загружены")).toBeVisible();
  held.resolve();
  await expect(page.getByText("Пока нет цифровых двойников")).toBeVisible();
  await expect(page.getByRole("link", { name: "Создать двойника" })).toHaveAttribute("href", "/create-twin");
  await expectAccessible(page, "empty, slow and failing answers have their own looks");
});
