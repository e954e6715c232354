// What letters.spec.ts and letters.full.spec.ts share.
import type { Page } from "@playwright/test";
import type { SignedInUser } from "#contract/organizations/auth.ts";
import type { Invited } from "#contract/organizations/organizations.ts";
import { buildMember, buildUser, user } from "../factories/people.ts";
import { type Answers, answering, frame, json } from "../support/answers.ts";
import { expect } from "../support/fixtures.ts";

// Where no letter can be sent, users read so in plain words; what to configure is shown to the operator on /admin.

const config = { demo: false, letters: "log", telegramBot: null, engine: "embedded", version: "0.1.0" };

export const OPERATORS = /SMTP|журнал\S* сервера|не\s+настроена/;

export const open = (page: Page, at: string, person: Partial<SignedInUser>, answers: Answers = {}) =>
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

export async function invite(page: Page, superAdmin: boolean) {
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
