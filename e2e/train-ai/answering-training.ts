import type { Page } from "@playwright/test";
import { buildTwin } from "../factories/twin.ts";
import { type Answers, answering, json, ofTwinAtRest, unforeseen } from "../support/answers.ts";

const anna = buildTwin(1, { name: "Анна Петрова" });

/** The server of /train-ai, where Анна has been trained and nothing else is; a call without an answer fails the test. */
export const answeringTraining = (page: Page, answers: Answers = {}) =>
  answering(
    page,
    {
      "GET /api/digital-twins": json([anna]),
      "GET /api/knowledge/documents": json([]),
      "GET /api/imports": json([]),
      "GET /api/knowledge-base/sources": json([]),
      "GET /api/activity/recent": json([]),
      "GET /api/approvals/count": json({ waiting: 0 }),
      "GET /api/events": () => undefined,
      "GET /api/stop-switch": json({ stopped: false, since: null, by: null, mayResume: false }),
      ...answers,
    },
    (route, request) => {
      const known = ofTwinAtRest(request);
      return (known === undefined ? unforeseen : json(known))(route, request);
    },
  );
