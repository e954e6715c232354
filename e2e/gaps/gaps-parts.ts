// What the tests of gaps.spec.ts and gaps.full.spec.ts share.
import { randomBytes, randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect } from "../support/fixtures.ts";
import { asOwner } from "../support/owner.ts";

export const SNOWMOBILE = "Во сколько лет можно водить снегоход?";

/** A twin with a chat on its owner's site, asked by visitors of it. */
export async function asAskedOwner(page: Page, autonomy: "auto" | "draft") {
  const owner = await asOwner(page, { name: "Анна", knowledgeArea: "Прокат снегоходов" });
  const look = { title: "Спросите нас", greeting: "Здравствуйте!", color: "#0f5f63" };
  const widget = { enabled: true, allowedSites: [], autonomy, dailyMessages: 1000, ...look };
  const { id: widgetId } = await owner.put(`/api/digital-twins/${owner.id}/widget`, widget);
  const headers = () => ({ "x-visitor": randomBytes(32).toString("base64url") });
  const ask = async (text: string, visitor = headers()) => {
    const data = { id: randomUUID(), text };
    const answer = await page.request.post(`/widget/${widgetId}/messages`, { headers: visitor, data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return visitor;
  };
  const open = async () => (await owner.get(`/api/digital-twins/${owner.id}/gaps/count`)).open;
  return { ...owner, ask, open };
}

export const ANSWER = "Снегоход можно водить с 16 лет.";
