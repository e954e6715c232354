// Voice and pictures that an export holds: offered where there are any, off at first, told of while they are read, heard beside their messages.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { uuid } from "../factories/ids.ts";
import { buildKnowledgeMessage } from "../factories/knowledge.ts";
import { anna, answeringKnowledge } from "../knowledge/answering-knowledge.ts";
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { answeringTraining } from "./answering-training.ts";

const IMPORT = uuid(710);
const days = { from: "2023-01-15T10:00:00.000Z", to: "2025-10-02T10:00:00.000Z" };
const preview = {
  ...{ id: IMPORT, digitalTwinId: anna.id, fileName: "ChatExport.zip", status: "preview", format: "telegram-json" },
  ...{ incomplete: false, suggestedOwner: "user1", rejected: [], rejectedCount: 0, total: 850, processed: 0 },
  ...{ imported: 0, duplicates: 0, createdAt: "2025-11-20T07:01:00.000Z" },
  chats: [
    {
      ...{ id: "c1", name: "Мария", kind: "private", messages: 600, ...days },
      attached: [
        { kind: "speech", files: 42, bytes: 31_000_000 },
        { kind: "picture", files: 3, bytes: 2_000_000 },
      ],
    },
    {
      ...{ id: "c2", name: "Семья", kind: "group", messages: 250, ...days },
      attached: [{ kind: "speech", files: 100, bytes: 90_000_000 }],
    },
  ],
  people: [
    { id: "user1", name: "Анна Петрова", messages: 500 },
    { id: "user2", name: "Мария", messages: 300 },
  ],
};

test("what the archive holds of the chosen chats is counted and taken only where that is asked for", async ({
  page,
}) => {
  let state: Record<string, unknown> = preview;
  let choice: unknown;
  await answeringTraining(page, {
    "GET /api/imports": () => [{ ...state, chats: [], people: [] }],
    [`GET /api/imports/${IMPORT}`]: () => state,
    [`POST /api/imports/${IMPORT}/start`]: (_route, request) => {
      choice = request.postDataJSON();
      const done = { status: "done", total: 600, processed: 600, imported: 600 };
      state = { ...preview, ...done, attached: { total: 45, read: 12, unsure: 2, failed: 0 } };
      return state;
    },
  });
  await page.goto("/train-ai?tab=dialogues&from=file");
  const choose = page.getByRole("checkbox", { name: "Прочитать голосовые и картинки из архива" });
  await expect(choose).not.toBeChecked();
  await expect(page.getByText(/^42\sголосовых · 3\sкартинки · 31,5\sМБ$/)).toBeVisible();
  await page.getByRole("checkbox", { name: /Семья/ }).check();
  await expect(page.getByText(/^142\sголосовых · 3\sкартинки · /)).toBeVisible();
  await page.getByRole("checkbox", { name: /Семья/ }).uncheck();
  await expectNoSidewaysScroll(page);
  await expectAccessibleCrosswise(page, "voice and pictures of an archive are offered");
  await choose.check();
  await page.getByRole("checkbox", { name: /вправе использовать/ }).check();
  await page.getByRole("button", { name: "Начать импорт" }).click();
  await expect(page.getByText("Читаем голосовые и картинки: 12 из 45 · неуверенно: 2")).toBeVisible();
  expect(choice).toMatchObject({ chatIds: ["c1"], attached: true });
  await expect(page.getByRole("progressbar", { name: "Чтение голосовых и картинок" })).toBeVisible();
  await expectAccessibleCrosswise(page, "voice and pictures of an archive are being read");
  state = { ...state, attached: { total: 45, read: 45, unsure: 3, failed: 1 } };
  await expect(
    page.getByText(/^Голосовые и картинки: 45\sфайлов прочитаны · неуверенно: 3 · не прочитано: 1$/),
  ).toBeVisible();
});

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
