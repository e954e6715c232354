// Several exports at once against the real server: the connection breaks on the way, one import holds both chats, and what
// came from a chat can be removed again.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expectAccessible, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { asOwner } from "../support/owner.ts";

// Several exports at once against the real server: the connection breaks on the way, one import holds both chats, and what
// came from a chat can be removed again.

test.use({ allowedConsoleErrors: [/ERR_CONNECTION_RESET/] });

const chatWith = (name: string) => ({
  name: `WhatsApp Chat with ${name}.txt`,
  buffer: Buffer.from(
    Array.from({ length: 40 }, (_, at) => {
      const time = `12.03.2024, 14:${String(at).padStart(2, "0")}`;
      return `${time} - ${at % 2 ? `Пётр: отвечаю ${name} раз ${at}` : `${name}: вопрос ${at}`}`;
    }).join("\n"),
  ),
});

test("a folder goes on after a break, its files become one import, and a chat of them is removed", async ({
  page,
}, info) => {
  await asOwner(page, { name: "Пётр" });

  let pieces = 0;
  await page.route("**/api/imports/uploads/*", (route, request) =>
    request.method() === "PATCH" && ++pieces === 2 ? route.abort("connectionreset") : route.continue(),
  );
  await page.goto("/train-ai?tab=dialogues&from=file");
  const folder = info.outputPath("Переписка");
  await mkdir(join(folder, "фото"), { recursive: true });
  await writeFile(join(folder, "фото", "1.jpg"), "не переписка");
  for (const { name, buffer } of [chatWith("Вера"), chatWith("Борис")]) await writeFile(join(folder, name), buffer);
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Выбрать папку" }).click(),
  ]);
  await chooser.setFiles(folder);
  await expect(page.getByText("Связь прервалась. Загрузка продолжится")).toBeVisible();
  await expect(page.getByText("Найдено: 2 чата, 3 человека, 80 сообщений")).toBeVisible();
  expect(pieces).toBe(3);
  await expect(page.getByLabel("Кто здесь вы?")).toHaveValue("Пётр");
  await page.getByRole("checkbox", { name: /^Я\sвправе использовать/ }).check();
  await page.getByRole("button", { name: "Начать импорт" }).click();
  await expect(page.getByText("Импорт завершён").last()).toBeVisible();

  await page.goto("/knowledge");
  await page.getByRole("button", { name: "Состав: WhatsApp: Пётр" }).click();
  await expect(page.getByText("40 сообщений").first()).toBeVisible();
  // The button's tooltip stands outside all landmarks while the pointer is on it, or leaves it towards the tooltip: of a jump it hears nothing.
  await page.mouse.move(0, 0, { steps: 5 });
  await expect(page.getByRole("tooltip")).toHaveCount(0);
  await expectAccessible(page, "a folder goes on after a break");
  await expectNoSidewaysScroll(page);
  await expect(page.getByRole("link", { name: "Кому видны ваши ответы" })).toHaveAttribute(
    "href",
    /^\/twin-replies\/./,
  );
  await page.getByRole("button", { name: "Удалить чат Борис" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Удалить навсегда" }).click();
  await expect(page.getByRole("button", { name: "Удалить чат Борис" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Удалить собеседника Вера" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Удалить собеседника Борис" })).toHaveCount(0);
  await page.getByRole("tab", { name: "Обучающие данные" }).click();
  // A conversation is read from its beginning.
  await expect(page.getByText("отвечаю Вера раз 1", { exact: true })).toBeVisible();
  await expect(page.getByText(/Борис/)).toHaveCount(0);
});
