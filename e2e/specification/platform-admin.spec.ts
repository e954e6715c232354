// Section 2, Super admin panel; sections 3, 4, 7 and 9 for it.
import type { Page } from "@playwright/test";
import { fails, json, user, uuid } from "../answers.ts";
import { expect, test } from "../fixtures.ts";
import { button, heading, one, specify, text, texts, wide } from "./screen.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const plan = (id: string, own: Record<string, unknown> = {}) => ({
  id,
  name: id,
  description: "Для команды",
  price: 4999,
  billingPeriod: "month",
  isActive: true,
  features: ["Первое", "Второе", "Третье", "Четвёртое"],
  ...own,
});
const figure = (label: string, value: string | RegExp) =>
  one(`${label}: ${value}`, (page: Page) =>
    page.locator("main dl").filter({ hasText: label }).first().getByText(value, { exact: true }),
  );
const tabs = (page: Page) => page.getByRole("tab");
const block = (name: string) =>
  one(`block ${name}`, (page: Page) => page.getByRole("region", { name }).getByText("Пример"));

const answers = {
  "GET /api/auth/verify": json({ user: { ...user, superAdmin: true } }),
  "GET /api/admin/platform/stats": json({
    totalOrganizations: 3,
    totalUsers: 41,
    totalDigitalTwins: 17,
    totalMessages: 9876,
  }),
  "GET /api/admin/subscription-plans": json([plan("Starter", { price: 0 }), plan("Business", { isActive: false })]),
  "GET /api/admin/organizations": json([
    {
      id: uuid(1),
      name: "ООО «Чай»",
      users: 4,
      twins: 2,
      messages: 300,
      planName: "Business",
      createdAt: "2025-11-20T10:00:00.000Z",
    },
  ]),
};

specify("2. Super admin panel (/admin), overview", {
  at: "/admin",
  answers,
  calls: ["GET /api/admin/platform/stats"],
  shows: [
    heading("Администрирование платформы"),
    wide(texts("four tabs", tabs, ["Обзор", "Организации", "Подписки", "Аналитика"])),
    figure("Организации", "3"),
    figure("Пользователи", "41"),
    figure("Цифровые двойники", "17"),
    figure("Сообщения", /^9\s876$/),
    block("Активность"),
    block("Состояние системы"),
    block("Выручка"),
  ],
  states: [
    {
      name: "6. nothing came, as for who is no super admin: samples",
      answers: {
        "GET /api/auth/verify": json({ user }),
        "GET /api/admin/platform/stats": fails(403, "Недостаточно прав"),
      },
      shows: [text("Пример"), figure("Организации", "156")],
    },
  ],
  acts: [
    {
      name: "on a phone the last two tabs are left out",
      does: async (page) => {
        await page.setViewportSize({ width: 390, height: 844 });
        await expect.soft(tabs(page)).toHaveText(["Обзор", "Организации"]);
        await page.setViewportSize({ width: 1440, height: 900 });
      },
    },
  ],
});

specify("2. Super admin panel, organizations", {
  at: "/admin?tab=organizations",
  answers,
  shows: [text("ООО «Чай»"), button("Add"), button(/^Manage/)],
  states: [
    {
      name: "4. samples: Active and Trial",
      answers: { "GET /api/admin/organizations": fails(403, "Недостаточно прав") },
      shows: [text("Пример"), text("Active"), text("Trial"), button("Add"), button(/^Manage/)],
    },
  ],
});

specify("2. Super admin panel, subscriptions", {
  at: "/admin?tab=subscriptions",
  answers,
  shows: [wide(text("Starter")), wide(text("Active")), wide(text("Inactive")), wide(text("Третье"))],
  states: [
    {
      name: "the first three features only; Edit Plan",
      answers: {},
      shows: [button("Edit Plan")],
      hides: [text("Четвёртое")],
    },
    {
      name: "nothing came: samples",
      answers: { "GET /api/admin/subscription-plans": json(null) },
      shows: [text("Пример"), text("Enterprise")],
    },
  ],
});

specify("2. Super admin panel, analytics", {
  at: "/admin?tab=analytics",
  answers: { ...answers, "GET /api/admin/platform/daily": json([{ day: "2025-11-20", messages: 5, newUsers: 1 }]) },
  shows: [wide(text("Сообщения по дням")), wide(text("Новые пользователи по дням"))],
});
