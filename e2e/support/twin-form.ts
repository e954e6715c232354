import type { Page } from "@playwright/test";

/** The fields of a twin's form by their labels, as somebody fills them in. */
export const twinFields = {
  "Имя двойника": "Анна",
  Описание: "Отвечает покупателям магазина",
  Личность: "Внимательная, спокойная, шутит редко",
  "Стиль общения": "Коротко и по делу",
  "Область знаний": "Доставка и возврат",
};

export async function fillTwinForm(page: Page, fields: Partial<typeof twinFields> = {}) {
  for (const [label, value] of Object.entries({ ...twinFields, ...fields })) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
}

export async function createTwin(page: Page, fields: Partial<typeof twinFields> = {}) {
  await fillTwinForm(page, fields);
  await page.getByRole("button", { name: "Создать Агента" }).click();
}
