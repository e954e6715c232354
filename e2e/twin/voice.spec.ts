// /twin-voice/{id}: a voice of one's own — the data, the file, its versions and what each of them brings.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { demoTwin } from "../support/demo-twin.ts";
import { expect, test } from "../support/fixtures.ts";
import { type ApiRequest, type ApiRoute, interceptCalls } from "../support/intercept.ts";

// /twin-voice/{id}: a voice of one's own — the data, the file, its versions and what each of them brings.

type Tensor = [name: string, ...shape: number[]];

/** A GGUF of zeros, whose head is true. */
function gguf(metadata: Record<string, string | number>, tensors: Tensor[]): Buffer {
  const u32 = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  const u64 = (value: number) => Buffer.concat([u32(value), u32(0)]);
  const text = (value: string) => Buffer.concat([u64(value.length), Buffer.from(value)]);
  const entries = Object.entries(metadata).map(([key, value]) =>
    Buffer.concat([
      text(key),
      typeof value === "string" ? Buffer.concat([u32(8), text(value)]) : Buffer.concat([u32(4), u32(value)]),
    ]),
  );
  let offset = 0;
  const infos = tensors.map(([name, ...shape]) => {
    const info = Buffer.concat([text(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset)]);
    offset += shape.reduce((product, one) => product * one, 4);
    return info;
  });
  const head = Buffer.concat([
    Buffer.from("GGUF"),
    u32(3),
    u64(tensors.length),
    u64(entries.length),
    ...entries,
    ...infos,
  ]);
  return Buffer.concat([head, Buffer.alloc(Math.ceil(head.length / 32) * 32 - head.length + offset)]);
}

const adapter = (width: number) =>
  gguf({ "general.architecture": "llama", "general.type": "adapter", "adapter.type": "lora" }, [
    ["blk.0.attn_q.weight.lora_a", width, 8],
    ["blk.0.attn_q.weight.lora_b", 8, width],
  ]);

const MODEL = join(mkdtempSync(join(tmpdir(), "twins-voice-")), "model.gguf");
writeFileSync(
  MODEL,
  gguf({ "general.architecture": "llama", "general.name": "Qwen3 1.7B", "llama.context_length": 2048 }, [
    ["blk.0.attn_q.weight", 64, 64],
  ]),
);
test.use({ serverEnvironment: { MODEL_PATH: MODEL } });

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const file = (name: string, buffer: Buffer) => ({ name, mimeType: "application/octet-stream", buffer });

test("the owner brings a voice, switches it on and deletes it", async ({ page }) => {
  const { id } = await demoTwin(page);
  await page.goto(`/twin-settings/${id}`);
  await page.getByRole("link", { name: "Почерк двойника" }).click();
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

const figure = (value: number, measuredAt = "2026-11-22T10:00:00Z") => ({
  measuredAt,
  value,
  low: value - 0.06,
  high: value + 0.06,
});
const measured = (over: object = {}) => ({ figure: null, measuring: false, failedAt: null, ...over });
const voice = (version: number, over: object = {}) => ({
  ...{
    id: `8b0e2f1c-0000-4000-8000-00000000000${version}`,
    version,
    fileName: "golos-na-vseh-pismah-za-dva-goda.gguf",
  },
  ...{ bytes: 34_000_000, rank: 8, sha256: "0", createdAt: "2026-11-21T10:00:00Z", baseName: "Qwen3 1.7B" },
  ...{ fits: true, otherFile: false, active: false, failedAt: null, forgottenAt: null, after: measured() },
  ...over,
});

test("each version says what it has brought, which one does not work, and what is being measured", async ({ page }) => {
  const { id } = await demoTwin(page);
  const asked: unknown[] = [];
  let measuring = false;
  const answer = (route: ApiRoute, request: ApiRequest) => {
    if (request.url().endsWith("/data")) {
      const headers = { "content-disposition": 'attachment; filename="voice-data-2026-11-23.zip"' };
      return route.fulfill({ headers, contentType: "application/zip", body: "PK" });
    }
    if (request.method() === "POST") {
      asked.push(request.postDataJSON());
      measuring = true;
      return route.fulfill({ status: 202, json: { queued: true } });
    }
    return route.fulfill({
      json: {
        ...{ exchanges: 1843, least: 100, model: "local", baseName: "Qwen3 1.7B", upload: null },
        before: measured({ figure: figure(0.21) }),
        voices: [
          voice(5, { after: measured({ figure: figure(0.24) }) }),
          voice(4, { after: measured({ measuring }) }),
          voice(3, {
            active: true,
            failedAt: "2026-11-22T09:00:00Z",
            after: measured({ failedAt: "2026-11-22T11:00:00Z" }),
          }),
          voice(2, { after: measured({ figure: figure(0.44) }) }),
          voice(6, { forgottenAt: "2026-11-22T12:00:00Z", after: measured({ figure: figure(0.5) }) }),
          voice(7, { otherFile: true }),
          voice(1, { fits: false, baseName: "Gemma 3 270M", after: measured({ figure: figure(0.24) }) }),
        ],
      },
    });
  };
  await interceptCalls(page, answer, `*://*/api/digital-twins/${id}/voice*`);
  await page.goto(`/twin-voice/${id}`);
  const versions = region(page, "Версии почерка");
  await expect(versions).toContainText("С этим почерком двойник отвечает заметно похожее на вас");
  // What another model reached is compared with nothing.
  await expect(versions.getByText("лучше, но разница может быть случайной")).toHaveCount(1);
  await expect(versions).toContainText("модель не смогла использовать этот почерк");
  await expect(versions).toContainText("Последнее измерение не удалось");
  await expect(versions).toContainText("Этот почерк обучен для модели «Gemma 3 270M»");
  await expect(versions).toContainText("До: без почерка, модель Qwen3 1.7B");
  // What was learnt from deleted letters is not heard again, and the owner reads why.
  const forgotten = versions.getByRole("listitem").filter({ hasText: "Версия 6" });
  await expect(forgotten).toContainText(
    /Этот почерк обучен и\sна\sписьмах, которые вы удалили .+, поэтому он выключен/,
  );
  await expect(forgotten).toContainText("обучите новый почерк");
  await expect(forgotten.getByRole("switch")).toBeDisabled();
  await expect(forgotten.getByRole("button", { name: "Измерить с этим почерком" })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  await expect(versions.getByRole("listitem").filter({ hasText: "Версия 7" })).toContainText(
    "Сейчас отвечает другой файл модели",
  );
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "Скачать данные" }).click();
  expect((await coming).suggestedFilename()).toBe("voice-data-2026-11-23.zip");
  await versions.getByRole("button", { name: "Измерить с этим почерком" }).nth(1).click();
  await expect(versions.getByRole("status")).toContainText("Измеряем");
  expect(asked).toEqual([{ voiceId: voice(4).id }]);
  await expectAccessibleCrosswise(page, "versions of a voice");
  await expectNoSidewaysScroll(page);
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
