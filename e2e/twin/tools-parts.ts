// Answers and places that the specs of tools and of acts share.
import type { Page } from "@playwright/test";
import { uuid } from "../factories/ids.ts";
import { twins } from "../factories/twin.ts";
import { type Answers, json, oneTwin } from "../support/answers.ts";

export const AT = `/twin-tools/${uuid(1)}`;
export const [anna] = twins;

const figures = {
  days: 30,
  tools: [
    {
      toolId: uuid(701),
      title: "Статус заказа",
      asked: 12,
      done: 9,
      refused: 2,
      failed: 1,
      unknown: 0,
      waiting: 0,
    },
  ],
};
/** What the screen of Анна's tools asks for. */
export const screen = (tools: unknown, more: Answers = {}): Answers => ({
  ...oneTwin(anna!),
  "GET /api/tools": json(tools),
  "GET /api/acts/figures": json(figures),
  "GET /api/tool-connections": json([]),
  ...more,
});

export const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" });
