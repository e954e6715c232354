// Voice and pictures that an export holds: offered where there are any, off at first, told of while they are read, heard beside their messages.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { uuid } from "../factories/ids.ts";
import { buildKnowledgeMessage } from "../factories/knowledge.ts";
import { answeringKnowledge } from "../knowledge/answering-knowledge.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { answeringTraining } from "./answering-training.ts";
import { IMPORT, preview } from "./attached-files-parts.ts";

test("an archive without any has no such choice", async ({ page }) => {
  const plain = { ...preview, chats: preview.chats.map(({ attached: _, ...chat }) => chat) };
  await answeringTraining(page, {
    "GET /api/imports": () => [{ ...plain, chats: [], people: [] }],
    [`GET /api/imports/${IMPORT}`]: () => plain,
  });
  await page.goto("/train-ai?tab=dialogues&from=file");
  await expect(page.getByRole("button", { name: "Начать импорт" })).toBeVisible();
  await expect(page.getByText("Прочитать голосовые и картинки из архива")).toHaveCount(0);
});

test("a message of the history has its recording or picture beside it, and what was unsure says so", async ({
  page,
}) => {
  const picture = readFileSync(join(import.meta.dirname, "../../docs/picture.png"));
  const media = (id: number, own: object) => ({
    ...{ id: uuid(id), kind: "speech", name: "Голосовое сообщение", state: "done", hasOriginal: true, seconds: 12 },
    ...{ text: "", confidence: null, sure: false, note: null, ...own },
  });
  const words = "Сколько стоит доставка?";
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/messages": () => [
      buildKnowledgeMessage(1, {
        ...{ content: words, author: "Мария", chatName: "Мария" },
        media: [media(811, { text: words, confidence: 0.93, sure: true })] as never,
      }),
      buildKnowledgeMessage(2, {
        ...{ content: "", author: "Мария", chatName: "Мария", isTrainingData: false },
        media: [media(812, { text: "Стали сто лет", confidence: 0.31 })] as never,
      }),
      buildKnowledgeMessage(3, {
        ...{ content: "Вот чек", author: "Мария", chatName: "Мария" },
        media: [
          media(813, { kind: "picture", name: "Фото", seconds: null, text: "Итого 1200", confidence: 0.9, sure: true }),
        ] as never,
      }),
    ],
    [`GET /api/media/${uuid(813)}`]: (route) => route.fulfill({ status: 200, contentType: "image/png", body: picture }),
  });
  await page.goto("/knowledge?tab=messages");
  const rows = page.getByRole("region", { name: "Сообщения", exact: true }).getByRole("listitem");
  // The newest comes last, as they were said.
  await expect(rows.nth(2).getByRole("button", { name: "Голосовое сообщение, 0:12" })).toBeVisible();
  await expect(rows.nth(2)).toContainText("Распознано, уверенность 93%");
  await expect(rows.nth(2).getByText(words)).toHaveCount(1);
  await expect(rows.nth(1)).toContainText("Распознано неуверенно (31%): проверьте по записи");
  await expect(rows.nth(1)).toContainText("Стали сто лет");
  await expect(rows.nth(0).getByRole("img", { name: "Фото: Итого 1200" })).toBeVisible();
  await expect(rows.nth(0)).toContainText("Вот чек");
  await expectAccessibleCrosswise(page, "messages of the history with recordings and pictures");
});
