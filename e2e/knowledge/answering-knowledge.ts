import type { Page } from "@playwright/test";
import { uuid } from "../factories/ids.ts";
import { buildKnowledgeStats, buildSource } from "../factories/knowledge.ts";
import { buildTwin } from "../factories/twin.ts";
import { type Answers, answering, json, unforeseen } from "../support/answers.ts";
import type { ApiRequest } from "../support/intercept.ts";

export const anna = buildTwin(1, { name: "Анна Петрова" });
/** A colleague's. */
export const oleg = buildTwin(2, { name: "Олег", ownerId: uuid(777) });

export const queryOf = (request: ApiRequest) => new URL(request.url()).searchParams;

/** The server of /knowledge with one source; a call without an answer fails the test. */
export const answeringKnowledge = (page: Page, answers: Answers = {}) =>
  answering(
    page,
    {
      "GET /api/digital-twins": json([anna, oleg]),
      "GET /api/activity/recent": json([]),
      "GET /api/knowledge-base/stats": json(buildKnowledgeStats()),
      "GET /api/knowledge-base/sources": json([buildSource(1)]),
      "GET /api/knowledge-base/messages": json([]),
      ...answers,
    },
    unforeseen,
  );
