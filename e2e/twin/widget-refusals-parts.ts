// What widget-refusals.spec.ts and widget-refusals.full.spec.ts share.
import { randomBytes, randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect } from "../support/fixtures.ts";
import { asOwner } from "../support/owner.ts";
import { PHONE } from "../support/viewports.ts";

/** A chat whose twin is paused: what comes in waits for a person. */
export async function openChat(page: Page, dailyMessages: number) {
  const { id: twinId, put } = await asOwner(page, { name: "Анна" });
  await put(`/api/digital-twins/${twinId}`, { isActive: false });
  const save = async (dailyMessages: number): Promise<string> => {
    const look = { title: "Спросите магазин", greeting: "Здравствуйте!", color: "#0f5f63" };
    const data = { enabled: true, allowedSites: [], autonomy: "auto", dailyMessages, ...look };
    return (await put(`/api/digital-twins/${twinId}/widget`, data)).id;
  };
  const id = await save(dailyMessages);
  await page.setViewportSize(PHONE);
  await page.goto(`/widget/${id}`);
  await expect(page.getByText("Здравствуйте!")).toBeVisible();
  const visitor = await page.evaluate((id) => localStorage.getItem(`visitor ${id}`) ?? "", id);
  const say = (text: string, visitor = randomBytes(32).toString("base64url")) =>
    page.request.post(`/widget/${id}/messages`, {
      headers: { "x-visitor": visitor },
      data: { id: randomUUID(), text },
    });
  const kept = async (): Promise<string[]> => {
    const talk = await page.request.get(`/widget/${id}/talk`, { headers: { "x-visitor": visitor } });
    return (await talk.json()).lines.map(({ text }: { text: string }) => text);
  };
  return { save, say, kept, visitor };
}

export const linesOf = (page: Page) => page.getByRole("log").getByRole("listitem");
