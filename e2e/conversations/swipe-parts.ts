// What swipe.spec.ts and swipe.full.spec.ts share.
import type { Page } from "@playwright/test";
import { buildApproval, buildConversation } from "../factories/conversation.ts";
import { buildTwin } from "../factories/twin.ts";
import { answering, json, listOf } from "../support/answers.ts";
import { expect } from "../support/fixtures.ts";
import { PHONE } from "../support/viewports.ts";

export async function queue(page: Page) {
  let waiting = [1, 2, 3].map((n) => buildApproval(n, { text: `Ответ ${n}. `.repeat(12) }));
  const first = waiting[0]!;
  const calls = await answering(page, {
    ...listOf(buildTwin(1)),
    "GET /api/approvals": () => waiting,
    "GET /api/conversations": json([buildConversation(1)]),
    [`POST /api/approvals/${first.id}/approve`]: () => {
      waiting = waiting.slice(1);
      return { ...first, state: "pending", undoUntil: new Date(Date.now() + 5000).toISOString() };
    },
    [`POST /api/approvals/${first.id}/undo`]: () => {
      waiting = [first, ...waiting];
      return first;
    },
    [`POST /api/approvals/${first.id}/reject`]: () => {
      waiting = waiting.slice(1);
      return { ...first, state: "cancelled" };
    },
  });
  await page.setViewportSize(PHONE);
  await page.goto("/conversations?tab=approval");
  await expect(card(page, 1)).toBeVisible();
  return () => calls.map(({ call }) => call).filter((call) => /approvals\/.*\/(approve|reject|undo)/.test(call));
}

export const card = (page: Page, n: number) => page.getByRole("article", { name: `Собеседник ${n}` });
