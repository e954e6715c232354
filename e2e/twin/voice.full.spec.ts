// /twin-voice/{id}: a voice of one's own — the data, the file, its versions and what each of them brings.
import { writeFileSync } from "node:fs";
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { demoTwin } from "../support/demo-twin.ts";
import { expect, test } from "../support/fixtures.ts";
import { type ApiRoute, interceptCalls } from "../support/intercept.ts";
import { gguf, MODEL, measured, region } from "./voice-parts.ts";

const adapter = (width: number) =>
  gguf({ "general.architecture": "llama", "general.type": "adapter", "adapter.type": "lora" }, [
    ["blk.0.attn_q.weight.lora_a", width, 8],
    ["blk.0.attn_q.weight.lora_b", 8, width],
  ]);

writeFileSync(
  MODEL,
  gguf({ "general.architecture": "llama", "general.name": "Qwen3 1.7B", "llama.context_length": 2048 }, [
    ["blk.0.attn_q.weight", 64, 64],
  ]),
);

test.use({ serverEnvironment: { MODEL_PATH: MODEL } });

const file = (name: string, buffer: Buffer) => ({ name, mimeType: "application/octet-stream", buffer });

test("the owner brings a voice, switches it on and deletes it", async ({ page }) => {
  const { id } = await demoTwin(page);
  await page.goto(`/twin-settings/${id}`);
  await page.getByRole("link", { name: "Для специалистов" }).click();
  await page.getByRole("navigation", { name: "Для специалистов" }).getByRole("link", { name: "Почерк" }).click();
  await expect(page).toHaveURL(`/twin-voice/${id}`);
  await expect(page.getByRole("heading", { level: 1, name: "Почерк двойника" })).toBeVisible();
  await expect(region(page, "Какая модель отвечает")).toContainText("Qwen3 1.7B. Обучайте почерк");
  await expect(region(page, "Версии почерка")).toContainText("Почерков пока нет");
  await expectAccessibleCrosswise(page, "a twin without a voice");
  await expectNoSidewaysScroll(page);

  const upload = region(page, "3. Загрузите файл почерка");
  const input = upload.locator("input[type=file]");
  await input.setInputFiles(file("voice.gguf", adapter(32)));
  await expect(upload.getByRole("alert")).toContainText(
    "voice.gguf: Этот почерк обучен для модели другого размера. Здесь отвечает «Qwen3 1.7B»",
  );
  await upload.getByRole("button", { name: "Убрать" }).click();
  await input.setInputFiles(file("voice.gguf", adapter(64)));
  const versions = region(page, "Версии почерка");
  await expect(versions.getByText("Версия 1")).toBeVisible();
  await expect(versions).toContainText("voice.gguf");
  await expect(upload.getByRole("progressbar")).toHaveCount(0);

  const toggle = versions.getByRole("switch", { name: "Выключен" });
  await toggle.focus();
  await page.keyboard.press("Space");
  await expect(versions.getByRole("switch", { name: "Включён" })).toBeChecked();
  await expect(versions).toContainText("Отвечает этим почерком");
  await expectAccessibleCrosswise(page, "a twin with a voice");
  await expectNoSidewaysScroll(page);

  await versions.getByRole("button", { name: "Удалить версию 1" }).click();
  const dialog = page.getByRole("alertdialog").or(page.getByRole("dialog"));
  await expect(dialog).toContainText("Двойник станет отвечать без почерка");
  await dialog.getByRole("button", { name: "Удалить" }).click();
  await expect(versions).toContainText("Почерков пока нет");
});

test("without a model of this server, and with too few letters, the page says what is needed", async ({ page }) => {
  const { id } = await demoTwin(page);
  const state = { exchanges: 12, least: 100, upload: null, before: measured(), voices: [], baseName: null };
  let model = "none";
  const answer = (route: ApiRoute) => route.fulfill({ json: { ...state, model } });
  await interceptCalls(page, answer, `*://*/api/digital-twins/${id}/voice`);
  await page.goto(`/twin-voice/${id}`);
  const answering = region(page, "Какая модель отвечает");
  await expect(answering).toContainText("Пока никакая");
  await expect(answering.getByRole("link", { name: "Выбрать модель" })).toHaveAttribute("href", "/model");
  await expect(region(page, "1. Скачайте данные")).toContainText("12 из 100 ваших ответов");
  await expect(region(page, "3. Загрузите файл почерка")).toContainText("когда отвечает модель на этом сервере");
  await expectAccessibleCrosswise(page, "a twin without a model");
  model = "remote";
  await page.reload();
  await expect(answering).toContainText("Удалённая, а почерк работает только");
});
