// Recordings and pictures in a conversation: played and shown from memory, with how surely they were read; what is not there is said.
import type { MessageMedia } from "#contract/media.ts";
import { buildContact, buildConversation, buildMessage } from "../factories/conversation.ts";
import { uuid } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { answering, json, listOf } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { DESKTOP } from "../support/viewports.ts";
import { log } from "./parts.ts";

const talk = buildConversation(1, { participants: buildContact({ name: "Мария Соколова" }) });

const buildMedia = (n: number, own: Partial<MessageMedia> = {}): MessageMedia => ({
  ...{ id: uuid(700 + n), kind: "speech", name: "Голосовое сообщение", state: "done", hasOriginal: true, seconds: 4 },
  ...{ text: "Сколько стоит доставка?", confidence: 0.94, sure: true, note: null },
  ...own,
});

/** A second of silence as a WAV. */
function wav(): Buffer {
  const head = Buffer.from("524946460000000057415645666d74201000000001000100401f0000803e0000020010006461746180", "hex");
  return Buffer.concat([head, Buffer.from([0x3e, 0, 0]), Buffer.alloc(16_000)]);
}
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("a recording is played and a picture shown beside what was read, with how sure it is", async ({ page }) => {
  const picture = { kind: "picture", name: "Фото", seconds: null, text: "Чек на 1 200 ₽" } as const;
  const messages = [
    buildMessage(1, { content: "[Голосовое сообщение] Сколько стоит доставка?", media: [buildMedia(1)] }),
    buildMessage(2, {
      content: "[Фото] Чек на 1 200 ₽ Это верно?",
      media: [buildMedia(2, { ...picture, confidence: 0.4, sure: false })],
    }),
    buildMessage(3, {
      content: "[Голосовое сообщение]",
      media: [buildMedia(3, { state: "waiting", hasOriginal: false, text: "", confidence: null, sure: false })],
    }),
    buildMessage(4, {
      content: "[Голосовое сообщение]",
      media: [
        buildMedia(4, {
          ...{ state: "failed", hasOriginal: false, text: "", confidence: null, sure: false },
          note: "Минуты распознавания на сегодня закончились.",
        }),
      ],
    }),
  ];
  let away = true;
  await answering(page, {
    ...listOf(buildTwin(1, { name: "Анна" })),
    "GET /api/conversations": json([talk]),
    [`GET /api/conversations/${talk.id}/messages`]: json(messages),
    [`GET /api/conversations/${talk.id}/answers`]: json([]),
    [`GET /api/conversations/${talk.id}/past-replies`]: json([]),
    "GET /api/saved-replies": json([]),
    [`GET /api/media/${uuid(701)}`]: (route) => {
      if (!away) return route.fulfill({ status: 200, contentType: "audio/wav", body: wav() });
      away = false;
      return route.fulfill({ status: 503, contentType: "application/json", body: "{}" });
    },
    [`GET /api/media/${uuid(702)}`]: (route) => route.fulfill({ status: 200, contentType: "image/png", body: PIXEL }),
  });
  await page.setViewportSize(DESKTOP);
  await page.goto(`/conversations?dialog=${talk.id}`);
  const thread = log(page);
  await expect(thread).toContainText("Сколько стоит доставка?");
  await expect(thread).not.toContainText("[Голосовое сообщение]");
  await expect(thread).toContainText("Распознано, уверенность 94");
  await expect(thread).toContainText("Распознано неуверенно (40%): проверьте по картинке");
  await expect(thread).toContainText("Распознаём...");
  await expect(thread).toContainText("Минуты распознавания на сегодня закончились.");
  await expect(thread.getByRole("img", { name: "Фото: Чек на 1 200 ₽" })).toBeVisible();

  await thread.getByRole("button", { name: "Голосовое сообщение, 0:04" }).click();
  await expect(thread).toContainText("Не удалось загрузить файл");
  await thread.getByRole("button", { name: "Повторить" }).click();
  await expect(thread.locator("audio")).toHaveAttribute("src", /^blob:/);
  await expectAccessibleCrosswise(page, "a conversation with recordings and pictures");
});

test.use({ allowedConsoleErrors: [/status of 503/] });
