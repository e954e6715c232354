// The screen of /train-ai against answers of the test's own: the training that is followed, who may only look, space, and its looks.
import type { Locator } from "@playwright/test";
import { buildDocument, buildSource } from "../factories/knowledge.ts";
import { buildTraining } from "../factories/twin.ts";
import { anna } from "../knowledge/answering-knowledge.ts";
import { expectAccessible } from "../support/accessibility.ts";
import { json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { PHONE } from "../support/viewports.ts";
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
  await page.setViewportSize(PHONE);
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

test("the panel shows every document whole, without scrolling in it, and conversations have theirs first", async ({
  page,
}) => {
  const long = "Очень длинное название документа, которое занимает в боковой панели несколько строк";
  await answeringTraining(page, {
    "GET /api/knowledge/documents": json(
      Array.from({ length: 9 }, (_, n) => buildDocument(n + 1, n % 2 ? { name: `${long} ${n}` } : {})),
    ),
    "GET /api/knowledge-base/sources": json([1, 2, 3].map((n) => buildSource(n))),
  });
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/train-ai?tab=dialogues");
    const documents = page.getByRole("region", { name: "Загруженные документы" });
    const rows = documents.getByRole("listitem");
    await expect(rows).toHaveCount(9);
    const end = async (part: Locator) => {
      const { y, height } = (await part.boundingBox())!;
      return y + height;
    };
    expect(await end(rows.last())).toBeLessThan(await end(documents));
    const panel = page.getByRole("complementary", { name: "Материалы и подсказки" });
    await expect(panel.getByRole("heading", { level: 2 }).first()).toHaveText("Загруженные переписки");
    await expect(panel.getByRole("region", { name: "Загруженные документы" }).getByRole("listitem")).toHaveCount(9);
    if (width < 1024) continue;
    const form = (await page.getByRole("region", { name: "Вставить переписку" }).boundingBox())!;
    expect((await documents.boundingBox())!.x).toBeGreaterThan(form.x + form.width);
  }
});
