// The tab «Факты» of /knowledge: what waits for a decision at all twins, against answers of the test's own.
import { uuid } from "../factories/ids.ts";
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { type Answers, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import type { ApiRequest } from "../support/intercept.ts";
import { anna, answeringKnowledge, oleg } from "./answering-knowledge.ts";

const found = (id: number, question: string, reply: string) => ({
  question,
  variants: [{ id: String(id), reply, times: 2, people: 2, saidAt: "2026-01-02T10:00:00Z" }],
  current: null,
  clear: true,
});

/** As it was sent. */
interface Decision {
  decision: unknown;
  text: unknown;
}

/** A server that keeps which facts are decided on, for several twins. */
function deciding(twins: { id: string; name: string; facts: ReturnType<typeof found>[] }[]) {
  const decided = new Map<string, Decision>();
  const left = (facts: ReturnType<typeof found>[]) => facts.filter(({ variants }) => !decided.has(variants[0]!.id));
  const answers: Answers = {
    "GET /api/knowledge/uses": json({ uses: [], atLeast: false }),
    "GET /api/knowledge/facts": () => ({
      facts: twins.flatMap(({ id, name, facts }) =>
        facts.flatMap(({ question, variants: [variant] }) => {
          const text = decided.get(variant!.id)?.text;
          const own = { id: uuid(800 + Number(variant!.id)), digitalTwinId: id, digitalTwinName: name };
          const rest = { rewordings: [], fromLetters: true, active: true, createdAt: "2026-01-03T10:00:00Z" };
          return text === undefined ? [] : [{ ...own, ...rest, question, text }];
        }),
      ),
      waiting: twins
        .map(({ id, name, facts }) => ({ digitalTwinId: id, digitalTwinName: name, facts: left(facts).length }))
        .filter(({ facts }) => facts > 0),
    }),
  };
  for (const { id, facts } of twins) {
    answers[`GET /api/digital-twins/${id}/chat-facts`] = () => ({
      counts: { total: facts.length, left: left(facts).length },
      facts: left(facts),
      looking: false,
    });
    for (const { variants } of facts) {
      const factId = variants[0]!.id;
      answers[`PUT /api/digital-twins/${id}/chat-facts/${factId}`] = (route, request: ApiRequest) => {
        const { decision, text } = request.postDataJSON() ?? {};
        if (decision === "reopen") decided.delete(factId);
        else decided.set(factId, { decision, text });
        return route.fulfill({ status: 204 });
      };
    }
  }
  return { answers, decided };
}

test("facts of all twins that wait are decided on where the confirmed ones stand, by a key each, and every decision is taken back", async ({
  page,
}) => {
  const server = deciding([
    { ...anna, facts: [found(1, "Сколько стоит торт?", "Торт 6500"), found(2, "Вы до скольки?", "До 20")] },
    { ...oleg, facts: [found(3, "Где вы находитесь?", "На Садовой")] },
  ]);
  await answeringKnowledge(page, server.answers);
  await page.goto("/knowledge");
  await page.getByRole("tab", { name: "Факты" }).click();
  const card = page.getByRole("region", { name: "3 факта из переписки ждут решения" });
  const rows = page.getByRole("list", { name: "Факты, которые ждут решения" }).getByRole("listitem");
  await expect(card).toBeVisible();
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText(anna.name);
  await expect(rows.nth(2)).toContainText("Олег");
  await expectAccessibleCrosswise(page, "facts of all twins that wait");
  await expectNoSidewaysScroll(page);

  // The focus is still on the tab, where a key decides too.
  await page.keyboard.press("y");
  await expect(rows).toHaveCount(2);
  await expect(page.getByRole("region", { name: "Подтверждённые факты" })).toContainText("Торт 6500");
  await page.keyboard.press("n");
  const last = page.getByRole("region", { name: "1 факт из переписки ждёт решения" });
  await expect(last).toContainText("Отклонено: До 20");
  await page.keyboard.press("e");
  await page.getByRole("textbox", { name: "Двойник ответит всем" }).fill("Садовая, у фонтана");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText("Все факты разобраны")).toBeVisible();
  expect([...server.decided.values()].map(({ decision }) => decision)).toEqual(["confirm", "reject", "confirm"]);

  // Nothing waits any more; the decisions are taken back one after the other, the newest first, each at its own twin.
  await page.keyboard.press("z");
  await expect(rows).toHaveText([/На Садовой/]);
  await page.keyboard.press("z");
  await expect(rows).toHaveCount(2);
  await page.getByLabel("Двойник", { exact: true }).selectOption(anna.id);
  await expect(rows).toHaveText([/До 20/]);
  await expect(page).toHaveURL(new RegExp(`twin=${anna.id}`));
});

test("of many facts that wait a few are shown at first, so that the confirmed ones stay in reach", async ({ page }) => {
  const many = Array.from({ length: 21 }, (_, n) => found(n + 1, `Вопрос ${n + 1}`, `Ответ ${n + 1}`));
  await answeringKnowledge(page, deciding([{ ...anna, facts: many }]).answers);
  await page.goto("/knowledge?tab=facts");
  await expect(page.getByRole("region", { name: "21 факт из переписки ждёт решения" })).toBeVisible();
  const rows = page.getByRole("list", { name: "Факты, которые ждут решения" }).getByRole("listitem");
  await expect(rows).toHaveCount(5);
  await page.getByRole("button", { name: "Показать ещё 10" }).click();
  await expect(rows).toHaveCount(15);
});

test("facts that wait and cannot be loaded say so, and are asked for again", async ({ page, allowedConsoleErrors }) => {
  allowedConsoleErrors.push(/status of 422/);
  const { answers } = deciding([{ ...anna, facts: [found(1, "Сколько стоит торт?", "Торт 6500")] }]);
  const path = `GET /api/digital-twins/${anna.id}/chat-facts`;
  const whole = answers[path]!;
  let fails = true;
  await answeringKnowledge(page, {
    ...answers,
    [path]: (route, request) =>
      fails
        ? route.fulfill({ status: 422, json: { message: "Слишком много дел", code: "x", requestId: "1" } })
        : whole(route, request),
  });
  await page.goto("/knowledge?tab=facts");
  await expect(page.getByText("Не удалось загрузить факты, которые ждут решения")).toBeVisible({ timeout: 15_000 });
  fails = false;
  await page.getByRole("button", { name: "Повторить" }).click();
  await expect(page.getByRole("region", { name: "1 факт из переписки ждёт решения" })).toBeVisible();
});
