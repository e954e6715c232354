// Every step of the wizard, as it looks.
import type { Page } from "@playwright/test";
import type { Correction } from "#contract/corrections.ts";
import { buildMessage, buildReply } from "../factories/conversation.ts";
import { NOW, uuid } from "../factories/ids.ts";
import { buildTraining, buildTwin } from "../factories/twin.ts";
import { expectAccessibleCrosswise, expectFitsNarrowPhone } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { asNewUser } from "../support/session.ts";
import { NAME } from "./wizard.ts";

const CORRECTION = "22222222-2222-4222-8222-222222222222";

test("every step is accessible, in light and wide as in dark and narrow, and fits 320 px", async ({ page }) => {
  await asNewUser(page);
  const twin = uuid(1);
  await intercepted(page);
  for (const [what, at] of [
    ["the first step", "/onboarding"],
    ["the analysis", `/onboarding?twin=${twin}&step=2`],
    ["the first answer", `/onboarding?twin=${twin}&step=3&pair=1`],
    ["what it does not know", `/onboarding?twin=${twin}&step=3&pair=1&teach=2`],
    ["what it was taught", `/onboarding?twin=${twin}&step=3&pair=1&teach=2&correction=${CORRECTION}`],
    ["the feedback", `/onboarding?twin=${twin}&step=4&talk=${twin}&reply=2`],
  ] as const) {
    await page.goto(at);
    await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
    await expect(page.getByText("Загрузка...")).toHaveCount(0);
    // Every other pairing of theme and width differs in nothing that these have not.
    await expectAccessibleCrosswise(page, what);
    await expectFitsNarrowPhone(page, what);
  }
});

/** Answers for a twin in the middle of its training, with a first answer. */
async function intercepted(page: Page) {
  const twin = buildTwin(1, { name: NAME, status: "training" });
  const question = "Ты сегодня на репетицию придёшь?";
  const own = "буду, гитару уже взял";
  const reply = buildReply({ response: "приду, куда я денусь", basis: "recurring", reason: "Похожий вопрос уже был" });
  const learnt: Correction = {
    id: CORRECTION,
    kind: "example",
    question,
    rewordings: [],
    twinReply: reply.response,
    text: own,
    rules: [],
    scope: "everybody",
    contactName: "Димон",
    active: true,
    createdAt: NOW,
    case: null,
  };
  const proposal = {
    suggested: "example",
    question,
    twinReply: reply.response,
    text: own,
    rules: [],
    contactName: "Димон",
    scopes: { fact: "contact", style: "everybody", example: "contact" },
    personal: null,
  };
  const running = { status: "training", progress: 0.4, running: true, stage: "Изучаем стиль" } as const;
  for (const [address, body] of [
    [`**/api/digital-twins/${twin.id}`, twin],
    ["**/training", buildTraining({ ...running, replyExamples: 1240, messages: 5321 })],
    ["**/corrections", { corrections: [learnt], waiting: [] }],
    ["**/corrections/proposal", proposal],
    [
      `**/api/conversations/${twin.id}/messages`,
      [buildMessage(1, { content: question }), buildMessage(2, { role: "assistant", content: reply.response })],
    ],
  ] as const) {
    await page.route(address, (route) => route.fulfill({ json: body }));
  }
  await page.route("**/first-answer", (route) => {
    const { pairId: id } = route.request().postDataJSON();
    const pair = { id, incoming: question, ownerReply: own, contactName: "Димон", repliedAt: NOW };
    return route.fulfill({ json: { pair, reply, more: true, taught: false } });
  });
}
