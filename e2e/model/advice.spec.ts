// /model: the one offer for this machine, taken in one press, against answers of the test's own.
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { onServer } from "./advice-parts.ts";

test("one offer says what this machine will download, how long and that nothing leaves it, and one press takes it", async ({
  page,
}) => {
  const { state, told } = await onServer(page, {});
  const offer = page.getByRole("region", { name: "Советуем этому серверу" });
  await expect(offer.getByRole("listitem").first()).toHaveText(
    "Находит ответ и тогда, когда вопрос задан другими словами.BGE-M3512\u00a0МБ",
  );
  await expect(offer).toContainText("Первые слова ответа обычно через 2–3 с");
  await expect(offer).toContainText("Скачается 1,6\u00a0ГБ с Hugging Face: при 50 Мбит/с это около 5 минут.");
  await expect(offer).toContainText(
    "около 2,4\u00a0ГБ памяти из 8\u00a0ГБ, на диске останется 118,4\u00a0ГБ. Наружу ничего не уходит",
  );
  await expect(page.getByRole("region", { name: "Каталог" })).toBeHidden();
  await expectAccessibleCrosswise(page, "an offer of models");
  await expectNoSidewaysScroll(page);
  await offer.getByRole("button", { name: "Скачать и включить" }).click();
  const coming = page.getByRole("region", { name: "Скачиваем и включаем" });
  await expect(coming).toContainText("BGE-M3, QVikhr-3 1.7B");
  await expect(coming).toContainText(/Скачано 31%: 512\sМБ из 1,6\sГБ · .+\/с · осталось около/);
  expect(told).toEqual(["bge-m3 true", "qvikhr-3-1.7b true"]);
  await expectAccessibleCrosswise(page, "models that are on their way");

  state.installed[1] = {
    ...state.installed[1]!,
    ...{ state: "failed", resumable: true, problem: "Связь с хабом обрывается. Скачанное сохранено." },
  };
  await expect(coming.getByRole("alert")).toHaveText("QVikhr-3 1.7B: Связь с хабом обрывается. Скачанное сохранено.");
  state.installed[0] = { ...state.installed[0]!, state: "ready", wanted: false, chosen: true, afterRestart: true };
  const failed = page.getByRole("region", { name: "Скачать не получилось" });
  await expect(failed.getByRole("button", { name: "Продолжить всё" })).toBeVisible();
  await failed.getByRole("button", { name: "Отменить всё" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Отменить скачивание" }).click();
  await expect(failed).toHaveCount(0);
  await expect.poll(() => told.at(-1)).toBe("removed");
});
