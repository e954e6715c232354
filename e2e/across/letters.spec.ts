// Where no letter can leave, people are told so in their own words; what to set is told to whoever runs the platform, on /admin.
import type { Page } from "@playwright/test";
import type { SignedInUser } from "#contract/organizations/auth.ts";
import type { Invited } from "#contract/organizations/organizations.ts";
import { buildMember, buildUser, user } from "../factories/people.ts";
import { type Answers, answering, frame, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";

// Where no letter can leave, people are told so in their own words; what to set is told to whoever runs the platform, on /admin.

const config = { demo: false, letters: "log", telegramBot: null, engine: "embedded", version: "0.1.0" };
const OPERATORS = /SMTP|журнал\S* сервера|не\s+настроена/;

const open = (page: Page, at: string, person: Partial<SignedInUser>, answers: Answers = {}) =>
  answering(page, {
    ...frame,
    "GET /api/config": json(config),
    "GET /api/auth/verify": json({ user: buildUser(person) }),
    ...answers,
  }).then(() => page.goto(at));

const invited: Invited = {
  ...buildMember(950, { email: "oleg@example.com", firstName: "Олег", lastName: "", status: "invited" }),
  letter: "log",
};

async function invite(page: Page, superAdmin: boolean) {
  const path = `/api/organizations/${user.organizationId}/users`;
  await open(
    page,
    "/org-admin?tab=users",
    { superAdmin },
    {
      [`GET ${path}`]: json([invited]),
      [`POST ${path}`]: json(invited, 201),
    },
  );
  await page.getByRole("button", { name: "Invite User" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill("oleg@example.com");
  await dialog.getByRole("button", { name: /Пригласить|Invite|Отправить/ }).click();
  await expect(dialog).toBeHidden();
}

test("an organisation's administrator reads who hands the link over", async ({ page }) => {
  await invite(page, false);
  await expect(page.getByText(/Письмо сейчас отправить нельзя\. Приглашение создано/)).toBeVisible();
  await expect(page.locator("body")).not.toContainText(OPERATORS);
});

test("the platform's administrator reads where the link is", async ({ page }) => {
  await invite(page, true);
  await expect(page.getByText("Ссылка для oleg@example.com записана в журнал сервера.")).toBeVisible();
});

test("whoever runs the platform is told what to set, and nobody else", async ({ page }) => {
  await open(page, "/admin", { superAdmin: true });
  await expect(page.getByText("SMTP_URL")).toBeVisible();
  await open(page, "/admin", { superAdmin: false });
  await expect(page.getByText("Вам показаны примеры")).toBeVisible();
  await expect(page.locator("body")).not.toContainText(OPERATORS);
});

test("an account that is not confirmed reads no operator's word", async ({ page }) => {
  for (const [at, said] of [
    ["/dashboard", /Письмо отправить нельзя: ссылку передаст администратор платформы/],
    ["/confirm-email", /Подтвердите email|ещё не\s+подтверждён/],
  ] as const) {
    await open(page, at, { emailConfirmed: false });
    await expect(page.getByText(said).first()).toBeVisible();
    await expect(page.locator("body")).not.toContainText(OPERATORS);
  }
});
