// /model: the models of this server, from the catalogue to the answers.
import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { onOwnServer } from "../servers/demo-data.ts";
import { READY_MS, type StartedServer } from "../servers/server.ts";
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { test as base, expect } from "../support/fixtures.ts";
import { interceptCalls } from "../support/intercept.ts";
import { asNewUser } from "../support/session.ts";
import { asSuperAdmin } from "../support/super-admin.ts";

const REVISION = "0123456789abcdef0123456789abcdef01234567";
/** The beginning of a model, and bytes that are never loaded. */
const MODEL = Buffer.concat([ggufHead(), randomBytes(400_000)]);

function ggufHead(): Buffer {
  const u32 = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  const text = (value: string) => Buffer.concat([u32(value.length), u32(0), Buffer.from(value)]);
  const entry = Buffer.concat([text("general.architecture"), u32(8), text("qwen3")]);
  return Buffer.concat([Buffer.from("GGUF"), u32(3), u32(0), u32(0), u32(1), u32(0), entry]);
}

/** A hub that has one small model and gives it out slowly. */
async function startHub(): Promise<{ server: Server; pace: { bytesPerSecond: number } }> {
  // Twenty seconds for the whole file: it is stopped on its way, however busy the machine.
  const pace = { bytesPerSecond: 20_000 };
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const json = (body: unknown) => response.end(JSON.stringify(body));
    if (path.endsWith(`/tree/${REVISION}`)) {
      const oid = createHash("sha256").update(MODEL).digest("hex");
      const size = MODEL.length;
      return json([{ type: "file", size, path: "Qwen3-0.6B-Q8_0.gguf", lfs: { oid, size } }]);
    }
    if (path.startsWith("/api/models/")) return json({ sha: REVISION });
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
    const range = { "content-range": `bytes ${from}-${MODEL.length - 1}/${MODEL.length}` };
    response.writeHead(from > 0 ? 206 : 200, from > 0 ? range : {});
    let at = from;
    const timer = setInterval(() => {
      const piece = MODEL.subarray(at, at + pace.bytesPerSecond / 20);
      at += piece.length;
      response.write(piece);
      if (at >= MODEL.length) response.end();
      if (at >= MODEL.length || response.destroyed) clearInterval(timer);
    }, 50);
    return undefined;
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return { server, pace };
}

type Hub = Awaited<ReturnType<typeof startHub>>;
const test = base.extend<object, { hub: Hub; hubServer: StartedServer }>({
  hub: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here.
    async ({}, use) => {
      const hub = await startHub();
      await use(hub);
      hub.server.closeAllConnections();
      hub.server.close();
    },
    { scope: "worker" },
  ],
  hubServer: [
    async ({ hub }, use) => {
      const { port } = hub.server.address() as AddressInfo;
      await onOwnServer({ MODEL_HUB_URL: `http://127.0.0.1:${port}` }, use);
    },
    { scope: "worker", timeout: READY_MS + 15_000 },
  ],
  baseURL: async ({ hubServer }, use) => use(hubServer.url),
});

test("a newcomer is offered a model once in whichever browser, downloads it, stops and goes on, chooses it and takes it away again", async ({
  page,
  browser,
  hub,
  hubServer,
}) => {
  await asSuperAdmin(page, hubServer);
  await page.goto("/dashboard");
  const offer = page.getByRole("region", { name: "Модель" });
  // Whatever this machine is advised, a small model is not said to read.
  await expect(offer).toContainText(/вопрос другими словами|оживит ответы|сама читает/);
  await offer.getByRole("link", { name: "Выбрать модель" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Модель" })).toBeFocused();
  const elsewhere = await browser.newPage({ baseURL: new URL(page.url()).origin });
  await asSuperAdmin(elsewhere, hubServer);
  const listed = elsewhere.waitForResponse("**/api/admin/models", { timeout: 60_000 });
  await elsewhere.goto("/dashboard");
  expect(await (await listed).json()).toMatchObject({ installed: [], offerPassed: true });
  await expect(elsewhere.getByRole("heading", { name: "Быстрые действия" })).toBeVisible();
  await expect(elsewhere.getByRole("region", { name: "Модель" })).toHaveCount(0);
  await elsewhere.close();
  const here = page.getByRole("region", { name: "Установленные модели" });
  await expect(here).toContainText("Пока ни одной");

  await page.getByText("Все модели", { exact: true }).click();
  await page.getByRole("button", { name: "Скачать Qwen3 0.6B" }).click();
  await expect(here.getByRole("progressbar")).toBeVisible();
  await expect(here).toContainText(/Скачано \d+%: .+ из .+ · .+\/с · осталось/);
  await here.getByRole("button", { name: "Приостановить" }).click();
  await expect(here).toContainText(/Приостановлено на \d+%/);
  await page.reload();
  hub.pace.bytesPerSecond = 4_000_000;
  await here.getByRole("button", { name: "Продолжить" }).click();
  await expect(here).toContainText("Готова");
  await page.getByText("Все модели", { exact: true }).click();
  await expect(page.getByRole("button", { name: "Скачать Qwen3 1.7B" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Скачать Qwen3 0.6B" })).toHaveCount(0);

  await here.getByRole("button", { name: "Выбрать для всех" }).click();
  await expect(here).toContainText("Отвечает за всех");
  const choice = page.getByLabel("Кто пишет ответы");
  await expect(choice.locator("option").first()).toHaveText("Как у всех: Qwen3 0.6B");
  await choice.selectOption({ label: "Без модели: встроенный движок" });
  await expect(page.getByText("Модель для организации выбрана", { exact: true })).toBeVisible();
  await expect(here.getByRole("button", { name: "Удалить Qwen3 0.6B" })).toHaveAccessibleDescription(
    "Модель выбрана: сначала отключите её или выберите другую",
  );
  await here.getByRole("button", { name: "Отключить" }).click();
  await here.getByRole("switch").click();
  await here.getByRole("button", { name: "Удалить Qwen3 0.6B" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Удалить" }).click();
  await expect(here).toContainText("Пока ни одной");
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { name: "Быстрые действия" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Модель" })).toHaveCount(0);
});

test("a file of one's own that is no model is refused in a sentence", async ({ page, hubServer }) => {
  await asSuperAdmin(page, hubServer);
  await page.goto("/model");
  const own = page.getByRole("region", { name: "Свой файл" });
  const file = { name: "письмо.gguf", mimeType: "application/octet-stream", buffer: randomBytes(3000) };
  await own.locator("input[type=file]").setInputFiles(file);
  await expect(own).toContainText("письмо.gguf: Это не модель в формате GGUF");
  await own.getByRole("button", { name: "Убрать" }).click();
  await own.locator("input[type=file]").setInputFiles({ ...file, name: "моя.gguf", buffer: MODEL });
  await expect(page.getByRole("region", { name: "Установленные модели" })).toContainText("моя");
});

test("who does not run the server sees which model answers, and no catalogue", async ({ page, hubServer }) => {
  // The first account would run it.
  await asSuperAdmin(page, hubServer);
  await asNewUser(page, hubServer);
  await page.goto("/model");
  await expect(page.getByRole("region", { name: "Модель на этом сервере" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Каталог" })).toHaveCount(0);
});

const GB = 1024 ** 3;
const model = (n: number, over: Record<string, unknown>) => ({
  id: `8b0e2f1c-0000-4000-8000-00000000000${n}`,
  kind: "chat",
  name: "QVikhr-3 1.7B",
  catalogueId: `seen-${n}`,
  state: "ready",
  problem: null,
  resumable: false,
  bytes: 1.1 * GB,
  received: 1.1 * GB,
  bytesPerSecond: null,
  memoryBytes: 1.8 * GB,
  allowed: false,
  chosen: false,
  wanted: false,
  organizations: 0,
  afterRestart: false,
  ...over,
});

const FIGURES = [
  {
    ...{ benchmark: "RuBQ, поиск абзаца с ответом на русском, nDCG@10 до 1", value: "0,685" },
    ...{ source: "https://github.com/embeddings-benchmark/results", date: "2026-11-24" },
  },
  { benchmark: "Двойник помог с вопросом клиента", value: "57%", source: null, date: "2026-11-23" },
];

test("every state of a model is accessible and fits, in both themes and widths", async ({ page, hubServer }) => {
  await asSuperAdmin(page, hubServer);
  await interceptCalls(
    page,
    async (route, request) => {
      if (request.method() !== "GET") return route.continue();
      const models = {
        machine: { memoryBytes: 8 * GB, cores: 4, diskBytes: 120 * GB },
        hub: "huggingface.co",
        settled: [],
        catalogue: (["recommended", "fits", "slow", "no-memory", "no-disk"] as const).map((verdict, at) => ({
          ...{ id: `model-${at}`, kind: at < 4 ? "chat" : "embedder", verdict },
          ...{ name: `Модель ${at + 1}`, about: "Дообучена на русском: лучший выбор для обычного компьютера" },
          ...{ licence: "Apache-2.0", source: "https://huggingface.co/a/b", bytes: 1.1 * GB, memoryBytes: 1.8 * GB },
          ...{ reads: at === 0, figures: at === 1 ? [] : FIGURES },
        })),
        installed: [
          model(1, { chosen: true, allowed: true, organizations: 2 }),
          model(2, { name: "Qwen3 4B", allowed: true }),
          model(3, { name: "T-lite-it 2.1 8B", state: "downloading", received: 0.4 * GB, bytesPerSecond: 3e6 }),
          model(4, { name: "Qwen3 1.7B", state: "paused", received: 0.2 * GB, resumable: true }),
          model(5, {
            ...{ name: "GigaChat 3.1 10B-A1.8B", state: "failed", received: 0.3 * GB, resumable: true },
            problem: "Связь с хабом обрывается. Скачанное сохранено: продолжите, когда связь наладится",
          }),
          model(6, { name: "BGE-M3", kind: "embedder", chosen: true, afterRestart: true }),
        ],
        offerPassed: true,
        advised: ["model-4"],
      };
      return route.fulfill({ json: models });
    },
    "*://*/api/admin/models",
  );
  await page.goto("/model");
  await expect(page.getByText("Отвечает за всех")).toBeVisible();
  await page.getByText("Все модели", { exact: true }).click();
  const catalogue = page.getByRole("region", { name: "Каталог" });
  const first = catalogue.getByRole("listitem").filter({ hasText: "Модель 1" });
  await expect(first.getByText("nDCG@10")).toBeHidden();
  await first.getByText("Для специалистов").click();
  await expect(first.getByText("nDCG@10")).toBeVisible();
  await expect(first).toContainText("nDCG@10 до 1: 0,685 · github.com, 24 ноября 2026 г.");
  await expect(first).toContainText("Двойник помог с вопросом клиента: 57% · наш замер 23 ноября 2026 г.");
  await expect(catalogue.getByText("Цифр качества на русском мы не нашли.")).toHaveCount(1);
  await expectAccessibleCrosswise(page, "/model");
  for (const width of [320, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
  }
  await page.getByRole("button", { name: "Проверить" }).first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessibleCrosswise(page, "/model: a trial");
});

test.describe("away", () => {
  test.use({ allowedConsoleErrors: [/503/] });

  test("what cannot be read is said, with another try", async ({ page, hubServer }) => {
    await asSuperAdmin(page, hubServer);
    let away = true;
    await interceptCalls(
      page,
      (route) =>
        away
          ? route.fulfill({ status: 503, json: { message: "Не сейчас", code: "x", requestId: "1" } })
          : route.continue(),
      "*://*/api/admin/models",
    );
    await page.goto("/model");
    await expect(page.getByText("Не удалось загрузить модели")).toBeVisible({ timeout: 20_000 });
    away = false;
    await page.getByRole("button", { name: "Повторить" }).click();
    await expect(page.getByRole("region", { name: "Установленные модели" })).toBeVisible();
  });
});
