// Section 2, Super admin panel; sections 3, 4, 7 and 9 for it.
import type { Page } from "@playwright/test";
import { NOW, uuid } from "../factories/ids.ts";
import { buildPlan } from "../factories/organization.ts";
import { buildUser } from "../factories/people.ts";
import { json } from "../support/answers.ts";
import { test } from "../support/fixtures.ts";
import { button, figure, heading, one, specify, text, texts, wide } from "../support/specify.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const block = (name: string) => one(`block ${name}`, (page: Page) => page.getByRole("region", { name }));

const answers = {
  "GET /api/auth/verify": json({ user: buildUser({ superAdmin: true }) }),
  "GET /api/admin/platform/stats": json({
    totalOrganizations: 3,
    totalUsers: 41,
    totalDigitalTwins: 17,
    totalMessages: 9876,
  }),
  "GET /api/admin/subscription-plans": json([
    buildPlan("Starter", { price: 0 }),
    buildPlan("Business", { isActive: false, features: ["Первое", "Второе", "Третье", "Четвёртое"] }),
  ]),
  "GET /api/admin/organizations": json([
    {
      id: uuid(1),
      name: "ООО «Чай»",
      users: 4,
      twins: 2,
      messages: 300,
      planName: "Business",
      createdAt: NOW,
    },
  ]),
};

specify("2. Super admin panel (/admin), overview", {
  at: "/admin",
  inSight: true,
  answers,
  calls: ["GET /api/admin/platform/stats"],
  shows: [
    heading("Супер-админ панель"),
    wide(texts("four tabs", (page) => page.getByRole("tab"), ["Обзор", "Организации", "Подписки", "Аналитика"])),
    figure("Организации", "3"),
    figure("Пользователи", "41"),
    figure("Цифровые двойники", "17"),
    figure("Сообщения", /^9\s876$/),
    text(/^Пример: .*активность, состояние системы и выручка/),
    one("own settings", (page) => page.getByRole("link", { name: "Ваши настройки" }), { href: "/settings" }),
    block("Активность"),
    block("Состояние системы"),
    block("Выручка"),
  ],
});

specify("2. Super admin panel, organizations", {
  at: "/admin?tab=organizations",
  inSight: true,
  answers,
  shows: [text("ООО «Чай»"), button("Add"), button(/^Manage/)],
});

specify("2. Super admin panel, subscriptions", {
  at: "/admin?tab=subscriptions",
  inSight: true,
  answers,
  shows: [
    wide(text("Starter")),
    wide(text("Active")),
    wide(text("Inactive")),
    wide(text("Третье")),
    wide(button("Edit Plan")),
  ],
  hides: [text("Четвёртое")],
  states: [
    {
      name: "nothing came: samples",
      answers: { "GET /api/admin/subscription-plans": json(null) },
      shows: [one("badge", (page) => page.getByText("Пример", { exact: true })), text("Enterprise")],
    },
  ],
});

specify("2. Super admin panel, analytics", {
  at: "/admin?tab=analytics",
  inSight: true,
  answers: { ...answers, "GET /api/admin/platform/daily": json([{ day: "2025-11-20", messages: 5, newUsers: 1 }]) },
  shows: [wide(text("Сообщения по дням")), wide(text("Новые пользователи по дням"))],
});
