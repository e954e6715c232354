// What viewers.spec.ts and viewers.full.spec.ts share.
import type { Page } from "@playwright/test";
import { buildDashboardStats } from "../factories/dashboard.ts";
import { uuid } from "../factories/ids.ts";
import { buildIntegration } from "../factories/integration.ts";
import { buildKnowledgeStats, buildSource } from "../factories/knowledge.ts";
import { buildUser } from "../factories/people.ts";
import { twins } from "../factories/twin.ts";
import { answering, json } from "../support/answers.ts";

const source = buildSource(50, { name: "Чат с Олегом", digitalTwinId: uuid(1), kind: "integration" });

export const asViewer = (page: Page) =>
  answering(page, {
    "GET /api/auth/verify": json({ user: buildUser({ role: "viewer" }) }),
    "GET /api/digital-twins": json(twins),
    "GET /api/integrations": json([buildIntegration(1)]),
    "GET /api/crm/integrations": json([buildIntegration(1)]),
    "GET /api/dashboard/stats": json(buildDashboardStats()),
    "GET /api/knowledge-base/stats": json(buildKnowledgeStats()),
    "GET /api/knowledge-base/sources": json([source]),
  });
