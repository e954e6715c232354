// What palette.spec.ts and palette.full.spec.ts share.
import type { Page } from "@playwright/test";
import { uuid } from "../factories/ids.ts";
import { buildKnowledgeStats } from "../factories/knowledge.ts";
import { json } from "../support/answers.ts";
import { expect } from "../support/fixtures.ts";

/** What /knowledge asks for. */
export const knowledge = {
  "GET /api/knowledge-base/stats": json(buildKnowledgeStats()),
  "GET /api/knowledge/uses": json({ uses: [], atLeast: false }),
  "GET /api/knowledge/facts": json({ facts: [], waiting: [] }),
};

export const FOUND = {
  contacts: [
    {
      ...{ conversationId: uuid(901), name: "Трюфелева Ольга", platform: "telegram", twinName: "Анна" },
      ...{ lastMessage: "А до пятницы успеете?", hasDraft: true },
    },
  ],
  messages: [
    {
      ...{ id: "77", conversationId: uuid(902), name: "Пётр", platform: "whatsapp" },
      excerpt: "Есть ли трюфель на пятницу?",
    },
  ],
  documents: [{ id: uuid(51), name: "Правила", twinName: "Анна", excerpt: "о магазине. Чёрный трюфель по средам" }],
  facts: [{ id: uuid(71), question: "Почём трюфель?", text: "Трюфель стоит 900 рублей", twinName: "Анна" }],
  forms: ["трюфелей"],
};

export async function open(page: Page) {
  await page.goto("/twins");
  await expect(page.getByRole("main").getByText("Анна").first()).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox")).toBeFocused();
}
