// Section 2, Organization admin panel; sections 3, 4 and 9 for it. Decision 13: the organisation is the viewer's own.
import type { Page } from "@playwright/test";
import { NOW } from "../factories/ids.ts";
import { buildOrganizationTwin, buildPlan, buildStorage, buildSubscription } from "../factories/organization.ts";
import { buildMember, user } from "../factories/people.ts";
import { fails, json } from "../support/answers.ts";
import { test } from "../support/fixtures.ts";
import { button, field, figure, heading, one, options, specify, text, texts, wide } from "../support/specify.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const of = (what: string) => `/api/organizations/${user.organizationId}/${what}`;
const sample = one("badge", (page: Page) => page.getByText("Пример", { exact: true }));
const tabs = (page: Page) => page.getByRole("tab");

const answers = {
  [`GET ${of("stats")}`]: json({ totalUsers: 7, digitalTwins: 5, totalMessages: 1234, activeIntegrations: 2 }),
  [`GET ${of("subscription")}`]: json(buildSubscription()),
  [`GET ${of("users")}`]: json([buildMember(1), buildMember(2, { role: "viewer" })]),
  [`GET ${of("digital-twins")}`]: json([
    buildOrganizationTwin(1, { name: "Анна" }),
    buildOrganizationTwin(2, { name: "Олег", status: "training", ownerName: null, messages: 0 }),
  ]),
  [`GET ${of("payments")}`]: json([
    { id: "1", planId: "business", planName: "Business", amount: 4999, status: "paid", createdAt: NOW, paidAt: NOW },
  ]),
  [`GET ${of("usage")}`]: json({
    since: "2025-11-01",
    apiCalls: 500,
    messages: 1000,
    storageBytes: 1024 ** 3,
    twins: 5,
    integrations: 2,
    daily: [],
  }),
  "GET /api/subscription-plans": json([
    buildPlan("starter", { name: "Starter", price: 0 }),
    buildPlan("business", { name: "Business" }),
  ]),
};

specify("2. Organization admin panel (/org-admin), overview", {
  at: "/org-admin",
  inSight: true,
  answers,
  calls: [`GET ${of("stats")}`, `GET ${of("subscription")}`],
  shows: [
    heading("Организация"),
    wide(texts("five tabs", tabs, ["Обзор", "Пользователи", "Двойники", "Оплата", "Использование"])),
    figure("Пользователи", "7"),
    figure("Цифровые двойники", "5"),
    figure("Сообщения", /^1\s234$/),
    figure("Активные интеграции", "2"),
    text("Текущая подписка"),
    text("Занято организацией"),
    text("Business"),
  ],
  states: [
    {
      name: "nothing came: samples",
      answers: {
        [`GET ${of("stats")}`]: fails(403, "Недостаточно прав"),
        [`GET ${of("subscription")}`]: json(null),
      },
      shows: [sample, figure("Пользователи", "24")],
    },
  ],
  acts: [
    {
      name: "the upgrade-plan dialog",
      does: (page) => page.getByRole("button", { name: "Сменить план" }).click(),
      asks: ["GET /api/subscription-plans"],
      shows: [heading("Сменить план"), text("Starter"), text(/₽4,999/)],
    },
  ],
});

specify("2. Organization admin panel, users", {
  at: "/org-admin?tab=users",
  inSight: true,
  answers,
  calls: [`GET ${of("users")}`],
  shows: [text("Участник 1"), text("Участник 2"), button("Invite User")],
  acts: [
    {
      name: "5. invite user",
      does: (page) => page.getByRole("button", { name: "Invite User" }).click(),
      shows: [
        one("e-mail", (page) => page.getByRole("dialog").getByLabel("Email"), { type: "email" }),
        field("Имя"),
        field("Фамилия"),
        options("Роль", ["User", "Admin", "Viewer"]),
      ],
    },
  ],
});

specify("7. Invite user", {
  at: "/org-admin?tab=users",
  shows: [],
  acts: [
    {
      name: "invited",
      answers: { [`POST /api/organizations/${user.organizationId}/users`]: json({}) },
      does: async (page) => {
        await page.getByRole("button", { name: "Invite User" }).click();
        await page.getByRole("dialog").getByLabel("Email").fill("new@example.com");
        await page.keyboard.press("Enter");
      },
      // 5. The role defaults to user.
      sends: {
        call: `POST /api/organizations/${user.organizationId}/users`,
        body: { email: "new@example.com", role: "user" },
      },
      toast: ["Успех", "Пользователь успешно создан"],
    },
  ],
});

specify("2. Organization admin panel, twins", {
  at: "/org-admin?tab=twins",
  inSight: true,
  answers,
  shows: [wide(text("Анна")), wide(text("Активен")), wide(text("В обучении"))],
  states: [
    {
      name: "4. samples: Active and Training",
      answers: { [`GET ${of("digital-twins")}`]: json([]) },
      shows: [sample, text("Active"), text("Training")],
    },
  ],
});

specify("2. Organization admin panel, billing", {
  at: "/org-admin?tab=billing",
  inSight: true,
  answers,
  shows: [wide(text("Счета")), wide(text("Оплачен")), wide(text(/₽4,999/))],
});

specify("2. Organization admin panel, usage", {
  at: "/org-admin?tab=usage",
  inSight: true,
  // The storage of the plan is the one that «Занятое место» of the overview tells.
  answers: { ...answers, [`GET ${of("storage")}`]: json(buildStorage(1)) },
  // 9. Sample limits: API calls 50,000, messages 100,000, storage 10 GB.
  shows: [wide(text("500 / 50,000")), wide(text(/^1\s000 \/ 100,000$/)), wide(text(/^1\sГБ \/ 10 GB$/))],
});
