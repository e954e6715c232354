// A paused twin answers nobody, and one that learns may not know yet: its test chat says so before anything is typed, and offers to
// resume it where one may.
import { uuid } from "../factories/ids.ts";
import { user } from "../factories/people.ts";
import { buildTwin } from "../factories/twin.ts";
import { answering, json, listOf } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";

test("the test chat of a paused twin sends nothing and resumes the twin at a press", async ({ page }) => {
  let isActive = false;
  const calls = await answering(page, {
    "GET /api/digital-twins": () => [buildTwin(1, { isActive })],
    [`PUT /api/digital-twins/${uuid(1)}`]: () => {
      isActive = true;
      return buildTwin(1, { isActive });
    },
    "POST /api/ai-generate": json({ response: "Здравствуйте!" }),
  });
  await page.goto(`/twins?chat=${uuid(1)}`);
  await expect(page.getByText("Двойник приостановлен и не отвечает.")).toBeVisible();
  const input = page.getByRole("textbox", { name: "Сообщение" });
  await expect(input).not.toBeEditable();
  await input.focus();
  await page.keyboard.type("Вы тут?");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Отправить" })).toBeDisabled();
  expect(calls.map(({ call }) => call)).not.toContain("POST /api/ai-generate");

  await page.getByRole("button", { name: "Возобновить" }).click();
  await expect(page.getByText("Двойник приостановлен и не отвечает.")).toBeHidden();
  await input.fill("Вы тут?");
  await input.press("Enter");
  await expect(page.getByRole("log")).toContainText("Здравствуйте!");
});

test("a member who may not change the twin reads who can resume it", async ({ page }) => {
  await answering(page, {
    "GET /api/auth/verify": json({ user: { ...user, role: "user" } }),
    ...listOf(buildTwin(1, { isActive: false, ownerId: uuid(950) })),
  });
  await page.goto(`/twins?chat=${uuid(1)}`);
  await expect(page.getByText(/Возобновить его могут владелец/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Возобновить" })).toBeHidden();
});

test("the test chat with a twin in training says so", async ({ page }) => {
  await answering(page, listOf(buildTwin(1, { status: "training" })));
  await page.goto(`/twins?chat=${uuid(1)}`);
  const chat = page.getByRole("region", { name: "Тест чат: Двойник 1" });
  await expect(chat.getByText("Двойник ещё учится…")).toBeVisible();
  await expect(chat.getByRole("link")).toHaveAttribute("href", "/train-ai");
});
