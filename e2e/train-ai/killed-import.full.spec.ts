// A server that is killed in the middle of an import.
import { onOwnServer } from "../servers/demo-data.ts";
import { type StartedServer, startServer } from "../servers/server.ts";
import { test as base, expect } from "../support/fixtures.ts";
import { asOwner } from "../support/owner.ts";

/** A server that belongs to one test alone, which may end it as it likes. */
const test = base.extend<{ own: { server: StartedServer } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures off this pattern
  own: async ({}, use) => {
    await onOwnServer({}, async (server) => {
      const own = { server };
      await use(own);
      await own.server.stop();
    });
  },
  baseURL: async ({ own }, use) => use(own.server.url),
});

// While the server is away each of the page's looks at the import, and its stream of news, ends like this.
test.use({
  allowedConsoleErrors: [
    /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_SOCKET_NOT_CONNECTED/,
  ],
});

const CHATS = 20;
const PER_CHAT = 1000;
const TOTAL = CHATS * PER_CHAT;

test("a server killed in the middle of an import goes on with it, and the open page with its progress", async ({
  page,
  own,
}) => {
  // Twenty thousand messages and two starts of a server, beside whatever else runs.
  test.setTimeout(600_000);
  await asOwner(page, { name: "Вера" }, own.server);

  await page.goto("/train-ai?tab=dialogues&from=file");
  const file = { name: "result.json", mimeType: "application/json", buffer: largeExport() };
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByRole("checkbox", { name: /^Я\sвправе использовать/ }).check();
  await page.getByRole("button", { name: "Начать импорт" }).click();
  const progress = page.getByText(/^Обработано [\d\s]+ из 20\s000 сообщений$/);
  const processed = async () =>
    Number((await progress.textContent())?.match(/Обработано ([\d\s]+) из/)?.[1]?.replace(/\s/g, ""));
  await expect.poll(processed).toBeGreaterThan(0);

  await own.server.kill();
  const before = await processed();
  expect(before).toBeLessThan(TOTAL);
  own.server = await startServer(own.server.dataFolder, { PORT: new URL(own.server.url).port });
  await expect(page.getByText("Импорт завершён").last()).toBeVisible({ timeout: 240_000 });
  const count = (label: string) => page.getByText(label, { exact: true }).locator("xpath=..").locator("dd");
  await expect(count("Импортировано")).toHaveText(/^20\s000$/);
  await expect(count("Повторов")).toHaveText("0");
  await expect(page.getByRole("region", { name: "Вера" }).getByText("Готов")).toBeVisible({ timeout: 240_000 });
});

/** Many chats in which every third message is the owner's. */
function largeExport(): Buffer {
  const list = Array.from({ length: CHATS }, (_, chat) => ({
    name: `Собеседник ${chat + 1}`,
    type: "personal_chat",
    id: 1000 + chat,
    messages: Array.from({ length: PER_CHAT }, (_, place) => {
      const own = place % 3 === 1;
      return {
        id: place + 1,
        type: "message",
        date: "2024-01-01T00:00:00",
        date_unixtime: String(1_704_000_000 + place * 60),
        from: own ? "Вера" : `Собеседник ${chat + 1}`,
        from_id: own ? "user1" : `user${1000 + chat}`,
        text: own ? `отвечаю на ${place} в чате ${chat}` : `вопрос номер ${place} из чата ${chat}`,
      };
    }),
  }));
  return Buffer.from(JSON.stringify({ personal_information: { user_id: 1 }, chats: { list } }));
}
