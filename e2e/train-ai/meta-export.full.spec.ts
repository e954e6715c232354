// A folder of Meta's export against the real server: its broken letters are put together, the owner says who he is, it is imported.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expectAccessible, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { asOwner } from "../support/owner.ts";

/** Each byte of UTF-8 as a letter of its own, as Meta writes. */
const asMetaWrites = (text: string) => Buffer.from(text).toString("latin1");

/** Twenty messages, the newest first. */
function page(from: number) {
  const messages = Array.from({ length: 20 }, (_, at) => ({
    sender_name: asMetaWrites((from + at) % 2 ? "Пётр" : "Вера"),
    timestamp_ms: 1_710_000_000_000 + (from + at) * 60_000,
    content: asMetaWrites((from + at) % 2 ? `отвечаю раз ${from + at}` : `вопрос ${from + at}`),
    is_geoblocked_for_viewer: false,
  })).reverse();
  const participants = ["Вера", "Пётр"].map((name) => ({ name: asMetaWrites(name) }));
  return JSON.stringify({ participants, messages, title: asMetaWrites("Вера"), thread_path: "inbox/vera_17" });
}

test("a folder of Messenger's or Instagram's messages is read, shown in right letters and imported", async ({
  page: screen,
}, info) => {
  await asOwner(screen, { name: "Пётр" });
  await screen.goto("/train-ai?tab=dialogues&from=file");
  await screen.getByText("Как получить файл").click();
  await expect(screen.getByText(/«Экспорт информации»: только «Сообщения», формат JSON/)).toBeVisible();
  await expectNoSidewaysScroll(screen);
  const folder = info.outputPath("inbox");
  const chat = join(folder, "vera_17");
  await mkdir(chat, { recursive: true });
  await writeFile(join(chat, "message_1.json"), page(20));
  await writeFile(join(chat, "message_2.json"), page(0));
  const [chooser] = await Promise.all([
    screen.waitForEvent("filechooser"),
    screen.getByRole("button", { name: "Выбрать папку" }).click(),
  ]);
  await chooser.setFiles(folder);
  await expect(screen.getByText("Найдено: 1 чат, 2 человека, 40 сообщений")).toBeVisible();
  await expect(screen.getByLabel("Кто здесь вы?")).toHaveValue("Пётр");
  await expectAccessible(screen, "Meta's export, read");
  await screen.getByRole("checkbox", { name: /^Я\sвправе использовать/ }).check();
  await screen.getByRole("button", { name: "Начать импорт" }).click();
  await expect(screen.getByText("Импорт завершён").last()).toBeVisible();

  await screen.goto("/knowledge");
  await screen.getByRole("button", { name: "Состав: Messenger и Instagram: Пётр" }).click();
  await expect(screen.getByText("40 сообщений").first()).toBeVisible();
  await screen.getByRole("tab", { name: "Обучающие данные" }).click();
  // A conversation is read from its beginning.
  await expect(screen.getByText("отвечаю раз 1", { exact: true })).toBeVisible();
});
