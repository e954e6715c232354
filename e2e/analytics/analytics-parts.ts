// What analytics.spec.ts and analytics.full.spec.ts share.
import type { Page } from "@playwright/test";
import type { Analytics } from "#contract/report.ts";
import { uuid } from "../factories/ids.ts";

export const days = (page: Page) => page.getByRole("region", { name: "Взаимодействия по дням" }).getByRole("listitem");
export const twins = (page: Page) => page.getByRole("region", { name: "Кто отвечал чаще" }).getByRole("listitem");

export const report: Analytics = {
  days: 7,
  totalInteractions: 1500,
  responseAccuracy: 91.5,
  userSatisfaction: 4.25,
  ratings: 4,
  avgResponseTime: 1.25,
  previous: { totalInteractions: 900, responseAccuracy: 88, userSatisfaction: null, ratings: 0, avgResponseTime: 2 },
  dailyStats: [
    { date: "2025-11-18", interactions: 0, accuracy: null },
    { date: "2025-11-19", interactions: 50, accuracy: 90 },
    { date: "2025-11-20", interactions: 125, accuracy: 90 },
    { date: "2025-11-21", interactions: 400, accuracy: 93.3 },
  ],
  topPerformingTwins: [
    { id: uuid(1), name: "Вторая", interactions: 100, accuracy: 80 },
    { id: uuid(2), name: "Первый", interactions: 300, accuracy: 70 },
    { id: uuid(3), name: "=1+1", interactions: 100, accuracy: 95 },
    { id: uuid(4), name: "Новый", interactions: 5, accuracy: null },
  ],
};
