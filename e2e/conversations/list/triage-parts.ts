// What triage.spec.ts and triage.full.spec.ts share.
import type { Page } from "@playwright/test";
import type { ActInput, ActResult } from "#contract/conversations/acts.ts";
import type { Conversation, Label } from "#contract/conversations/conversations.ts";
import { buildContact, buildConversation } from "../../factories/conversation.ts";
import { uuid } from "../../factories/ids.ts";
import { buildTwin } from "../../factories/twin.ts";
import { answering, json, listOf } from "../../support/answers.ts";
import { expect } from "../../support/fixtures.ts";
import type { ApiRequest } from "../../support/intercept.ts";
import { DESKTOP } from "../../support/viewports.ts";
import { rows } from "../parts.ts";

export const NAMES = ["Мария", "Иван", "Пётр", "Ольга", "Светлана"];
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();

/** An inbox of five that remembers what is done to it; Пётр's conversation may not be changed. */
export async function inbox(page: Page) {
  const state = NAMES.map((name, n) =>
    buildConversation(n, {
      participants: buildContact({ name }),
      lead: n === 1 ? "me" : "twin",
      lastMessage: "Здравствуйте",
    }),
  );
  const labels: Label[] = [];
  const acts: ActInput[] = [];
  const change = (id: string, own: Partial<Conversation>) => {
    const at = state.findIndex((one) => one.id === id);
    state[at] = { ...state[at]!, ...own };
  };
  const shown = (request: ApiRequest) => {
    const query = new URL(request.url()).searchParams;
    const status = query.get("status");
    return state.filter(
      (one) =>
        (one.snoozedUntil !== null) === query.has("snoozed") &&
        (!status || one.participants.status === status) &&
        (!query.get("label") || one.labels.some(({ id }) => id === query.get("label"))),
    );
  };
  function act({ ids, act }: ActInput): ActResult[] {
    acts.push({ ids, act });
    return ids.map((id) => {
      const one = state.find((talk) => talk.id === id)!;
      if (one.participants.name === "Пётр") {
        return { id, problem: { code: "forbidden", message: "Это может только владелец двойника" } };
      }
      if (act.kind === "snooze") change(id, { snoozedUntil: TOMORROW });
      if (act.kind === "return") change(id, { snoozedUntil: null });
      if (act.kind === "close" || act.kind === "reopen") {
        change(id, { participants: { ...one.participants, status: act.kind === "close" ? "closed" : "active" } });
      }
      if (act.kind === "label")
        change(id, { labels: [...one.labels, labels.find((label) => label.id === act.labelId)!] });
      if (act.kind === "unlabel") change(id, { labels: one.labels.filter((label) => label.id !== act.labelId) });
      return { id, problem: null };
    });
  }
  await answering(page, {
    ...listOf(buildTwin(1)),
    "GET /api/conversations": (_, request) => shown(request),
    "POST /api/conversations/acts": (_, request) => act(request.postDataJSON() as unknown as ActInput),
    "GET /api/conversations/snooze-times": json({
      timeZone: "Asia/Vladivostok",
      times: [
        { name: "tomorrow", at: TOMORROW },
        { name: "next-week", at: new Date(Date.now() + 5 * 86_400_000).toISOString() },
      ],
    }),
    "GET /api/labels": () =>
      labels.map((label) => ({
        ...label,
        conversations: state.filter((one) => one.labels.some(({ id }) => id === label.id)).length,
      })),
    "POST /api/labels": (_, request) => {
      const made = { id: uuid(800 + labels.length), name: String(request.postDataJSON()!.name) };
      labels.push(made);
      return made;
    },
    [`DELETE /api/labels/${uuid(800)}`]: (route) => {
      for (const { id } of state) change(id, { labels: [] });
      labels.length = 0;
      return route.fulfill({ status: 204 });
    },
  });
  await page.setViewportSize(DESKTOP);
  await page.goto("/conversations");
  await expect(rows(page)).toHaveCount(5);
  return { acts };
}

export const rowOf = (page: Page, name: string) => rows(page).filter({ hasText: name });
