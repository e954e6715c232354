// What reply-field.spec.ts and reply-field.full.spec.ts share.
import type { Page } from "@playwright/test";
import type { PastReply } from "#contract/conversations/approvals.ts";
import type { ChatMessage } from "#contract/conversations/conversations.ts";
import type { SavedReply } from "#contract/conversations/saved-replies.ts";
import { buildApproval, buildContact, buildConversation, buildMessage } from "../factories/conversation.ts";
import { uuid } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";
import { answering, json, listOf } from "../support/answers.ts";
import { expect } from "../support/fixtures.ts";
import { DESKTOP } from "../support/viewports.ts";
import { input } from "./parts.ts";

export const talk = buildConversation(1, {
  participants: buildContact({ name: "Мария Соколова" }),
  lead: "me",
  pausedUntil: new Date(Date.now() + 3600_000).toISOString(),
});

interface Given {
  messages?: ChatMessage[];
  past?: PastReply[];
  saved?: SavedReply[];
  answers?: unknown[];
}

export async function openTalk(
  page: Page,
  { messages = [buildMessage(1)], past = [], saved = [], answers = [] }: Given,
) {
  let kept = saved;
  const calls = await answering(page, {
    ...listOf(buildTwin(1, { name: "Анна" })),
    "GET /api/conversations": json([talk]),
    [`GET /api/conversations/${talk.id}/messages`]: json(messages),
    [`GET /api/conversations/${talk.id}/answers`]: json(answers),
    [`GET /api/conversations/${talk.id}/past-replies`]: json(past),
    [`POST /api/conversations/${talk.id}/messages`]: json(buildApproval(9, { author: "owner", state: "pending" }), 201),
    "GET /api/saved-replies": () => kept,
    "POST /api/saved-replies": (_, request) => {
      const made = { id: uuid(900 + kept.length), ...request.postDataJSON() } as SavedReply;
      kept = [...kept, made];
      return made;
    },
    [`DELETE /api/saved-replies/${uuid(900)}`]: (route) => {
      kept = kept.filter(({ id }) => id !== uuid(900));
      return route.fulfill({ status: 204 });
    },
  });
  await page.setViewportSize(DESKTOP);
  await page.goto(`/conversations?dialog=${talk.id}`);
  await expect(input(page)).toBeVisible();
  const written = () => calls.filter(({ call }) => call === `POST /api/conversations/${talk.id}/messages`);
  return { written };
}
