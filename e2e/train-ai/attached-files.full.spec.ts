// Voice and pictures that an export holds: offered where there are any, off at first, told of while they are read, heard beside their messages.
// What attached-files.spec.ts leaves to test:full.
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { answeringTraining } from "./answering-training.ts";
import { IMPORT, preview } from "./attached-files-parts.ts";

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
