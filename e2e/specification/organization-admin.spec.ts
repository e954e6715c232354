// Section 2, Organization admin panel; sections 3, 5, 7, 8 and 9 for it. Decision 13: the organisation is the viewer's own.
import type { Page } from "@playwright/test";
import { fails, json, user, uuid } from "../answers.ts";
import { expect, test } from "../fixtures.ts";
import { button, field, heading, one, options, specify, text, texts, wide } from "./screen.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const of = (what: string) => `/api/organizations/${user.organizationId}/${what}`;
const NOW = "2025-11-20T10:00:00.000Z";
const plan = (id: string, name: string, price: number) => ({
  id,
  name,
  description: "Для команды",
  price,
  billingPeriod: "month",
  isActive: true,
  features: ["Первое", "Второе"],
});
const member = (n: number, own: Record<string, unknown> = {}) => ({
  id: uuid(n),
  email: `user${n}@example.com`,
  firstName: "Участник",
  lastName: String(n),
  username: null,
  role: "user",
  status: "active",
  twins: 0,
  createdAt: NOW,
  ...own,
});
const figure = (label: string, value: string | RegExp) =>
  one(`${label}: ${value}`, (page: Page) =>
    page.locator("main dl").filter({ hasText: label }).first().getByText(value, { exact: true }),
  );
const sample = one("badge", (page: Page) => page.getByText("Пример", { exact: true }));
const tabs = (page: Page) => page.getByRole("tab");

const answers = {
  [`GET ${of("stats")}`]: json({ totalUsers: 7, digitalTwins: 5, totalMessages: 1234, activeIntegrations: 2 }),
  [`GET ${of("subscription")}`]: json({
    plan: plan("business", "Business", 4999),
    status: "active",
    since: NOW,
    pending: null,
  }),
  [`GET ${of("users")}`]: json([member(1), member(2, { role: "viewer" })]),
  [`GET ${of("digital-twins")}`]: json([
    { id: uuid(1), name: "Анна", status: "ready", isActive: true, ownerName: "Иван", messages: 21, createdAt: NOW },
    { id: uuid(2), name: "Олег", status: "training", isActive: true, ownerName: null, messages: 0, createdAt: NOW },
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
  "GET /api/subscription-plans": json([plan("starter", "Starter", 0), plan("business", "Business", 4999)]),
};

specify("2. Organization admin panel (/org-admin), overview", {
  at: "/org-admin",
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
      name: "on a phone the last three tabs are left out",
      does: async (page) => {
        await page.setViewportSize({ width: 390, height: 844 });
        await expect.soft(tabs(page)).toHaveText(["Обзор", "Пользователи"]);
        await page.setViewportSize({ width: 1440, height: 900 });
      },
    },
    {
      name: "the upgrade-plan dialog",
      here: true,
      does: (page) => page.getByRole("button", { name: "Сменить план" }).click(),
      asks: ["GET /api/subscription-plans"],
      shows: [heading("Сменить план"), text("Starter"), text(/4\s999\s₽/)],
    },
  ],
});

const INVITE = `POST ${of("users")}`;
const open = async (page: Page) => {
  await page.getByRole("button", { name: "Invite User" }).click();
  await page.getByRole("dialog").getByLabel("Email").waitFor();
};
const send = async (page: Page) => {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill("new@example.com");
  await dialog.getByLabel("Имя").fill("Вера");
  await dialog.getByLabel("Фамилия").fill("Орлова");
  await dialog.getByLabel("Роль").selectOption("viewer");
  await page.keyboard.press("Enter");
};

specify("2. Organization admin panel, users", {
  at: "/org-admin?tab=users",
  answers,
  calls: [`GET ${of("users")}`],
  shows: [text("Участник 1"), text("Участник 2"), button("Invite User")],
  states: [
    {
      name: "nothing came: samples",
      answers: { [`GET ${of("users")}`]: fails(403, "Недостаточно прав") },
      shows: [sample, text("Анна Петрова")],
    },
  ],
  acts: [
    {
      name: "5. invite user: the role defaults to user",
      does: open,
      shows: [
        one("e-mail", (page) => page.getByRole("dialog").getByLabel("Email"), { type: "email" }),
        field("Имя"),
        field("Фамилия"),
        options("Роль", ["User", "Admin", "Viewer"]),
      ],
    },
    {
      name: "5. the default role; an e-mail is required",
      here: true,
      does: async (page) => {
        await expect.soft(page.getByRole("dialog").getByLabel("Роль")).toHaveValue("user");
        await page.getByRole("dialog").getByLabel("Email").press("Enter");
      },
      shows: [text("Введите email")],
    },
    {
      name: "invite user failure",
      here: true,
      answers: { [INVITE]: fails(409, "Такой участник уже есть") },
      does: send,
      toast: ["Ошибка", "Не удалось создать пользователя"],
    },
    {
      name: "invite user success: the list is read anew, the dialog closes",
      answers: { [INVITE]: json({ ...member(3, { status: "invited" }), letter: "mail" }, 201) },
      does: async (page) => {
        await open(page);
        await send(page);
        await expect.soft(page.getByRole("dialog")).toHaveCount(0);
      },
      sends: {
        call: INVITE,
        body: { email: "new@example.com", firstName: "Вера", lastName: "Орлова", role: "viewer" },
      },
      refreshes: [`GET ${of("users")}`],
      toast: ["Успех", "Пользователь успешно создан"],
    },
  ],
});

specify("2. Organization admin panel, twins", {
  at: "/org-admin?tab=twins",
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
  answers,
  shows: [wide(text("Счета")), wide(text("Оплачен")), wide(text(/4\s999\s₽/))],
  states: [{ name: "samples", answers: { [`GET ${of("payments")}`]: json([]) }, shows: [sample] }],
});

specify("2. Organization admin panel, usage", {
  at: "/org-admin?tab=usage",
  answers,
  // 9. Sample limits: API calls 50,000, messages 100,000, storage 10 GB.
  shows: [wide(text("500 / 50,000")), wide(text(/^1\s000 \/ 100,000$/)), wide(text(/^1\sГБ \/ 10 GB$/))],
  states: [
    {
      name: "samples",
      answers: { [`GET ${of("usage")}`]: fails(500, "Внутренняя ошибка") },
      shows: [sample, text(/50,000/), text(/100,000/), text(/10 GB/)],
    },
  ],
});
