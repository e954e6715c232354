// /model: the one offer for this machine, taken in one press, against answers of the test's own.
import type { Page } from "@playwright/test";
import { buildUser } from "../factories/people.ts";
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { answering, json, nothing } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";

const GB = 1024 ** 3;
const entry = (id: string, kind: string, name: string, gigabytes: number) => ({
  ...{ id, kind, name, about: "Чаще находит нужное", licence: "MIT", source: "https://huggingface.co/a/b" },
  ...{ bytes: gigabytes * GB, memoryBytes: 1.5 * gigabytes * GB, verdict: "recommended", reads: false, figures: [] },
});
const CATALOGUE = [
  entry("bge-m3", "embedder", "BGE-M3", 0.5),
  entry("qvikhr-3-1.7b", "chat", "QVikhr-3 1.7B", 1.1),
  { ...entry("t-lite", "chat", "T-lite-it 2.1 8B", 5), verdict: "no-memory" },
];

const installed = (n: number, of: (typeof CATALOGUE)[number], own: object) => ({
  ...{ id: `8b0e2f1c-0000-4000-8000-00000000000${n}`, kind: of.kind, name: of.name, catalogueId: of.id },
  ...{
    state: "downloading",
    problem: null as string | null,
    resumable: false,
    bytes: of.bytes,
    received: 0,
    bytesPerSecond: null,
  },
  ...{ memoryBytes: null, allowed: false, chosen: false, wanted: true, organizations: 0, afterRestart: false },
  ...own,
});

/** The server of /model with these models, and what it was told. */
async function onServer(page: Page, own: object) {
  const state = {
    ...{ machine: { memoryBytes: 8 * GB, cores: 4, diskBytes: 120 * GB }, hub: "huggingface.co", settled: [] },
    ...{ catalogue: CATALOGUE, advised: ["bge-m3", "qvikhr-3-1.7b"], offerPassed: true },
    installed: [] as ReturnType<typeof installed>[],
    ...own,
  };
  const told: string[] = [];
  await answering(
    page,
    {
      "GET /api/auth/verify": json({ user: buildUser({ superAdmin: true, role: "org_admin" }) }),
      "GET /api/admin/models": () => state,
      "POST /api/admin/models": (_route, request) => {
        const { catalogueId, choose } = request.postDataJSON() as { catalogueId: string; choose: boolean };
        told.push(`${catalogueId} ${choose}`);
        const model = CATALOGUE.find(({ id }) => id === catalogueId)!;
        const made = installed(state.installed.length, model, { received: 0.25 * GB, bytesPerSecond: 4e6 });
        state.installed.push(made);
        state.advised = [];
        return made;
      },
    },
    (route, request) => {
      const { pathname } = new URL(request.url());
      if (request.method() === "DELETE" && pathname.startsWith("/api/admin/models/")) {
        told.push("removed");
        state.installed.length = 0;
        return nothing(route, request);
      }
      if (pathname.endsWith("/remote-model"))
        return json({
          ...{ settings: null, held: null, mayBePrivate: true },
          today: { tokens: 0, tokenLimit: 0, money: null, moneyLimit: null },
        })(route, request);
      if (pathname.endsWith("/model"))
        return json({ choice: "default", defaultName: null, models: [], settled: false })(route, request);
      return json([])(route, request);
    },
  );
  await page.goto("/model");
  return { state, told };
}

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
  expect(told.at(-1)).toBe("removed");
});

test("what works is said, also what a restart is needed for, and a machine that can run none is led to a remote model", async ({
  page,
}) => {
  const [reader, writer] = CATALOGUE;
  const { state } = await onServer(page, {
    advised: [],
    installed: [
      installed(1, writer!, { state: "ready", wanted: false, chosen: true }),
      installed(2, reader!, { state: "ready", wanted: false, chosen: true, afterRestart: true }),
    ],
  });
  const done = page.getByRole("region", { name: "Готово: модели работают" });
  await expect(done).toContainText("Работает: QVikhr-3 1.7B. После перезапуска сервера заработает: BGE-M3.");
  await expectAccessibleCrosswise(page, "models at work");
  state.installed = [];
  await page.reload();
  const none = page.getByRole("region", { name: "Этому серверу модели не по силам" });
  await expect(none.getByRole("link", { name: "удалённая модель" })).toHaveAttribute("href", "/model?tab=remote");
});
