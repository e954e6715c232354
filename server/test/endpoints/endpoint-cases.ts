/** For every mounted endpoint a request that succeeds. A new call joins the file of its subject in `cases/`. */
import { accountCases } from "./cases/account.ts";
import { actionCases } from "./cases/actions.ts";
import { approvalCases } from "./cases/approvals.ts";
import { contactCases } from "./cases/contacts.ts";
import { conversationCases } from "./cases/conversations.ts";
import { correctionCases } from "./cases/corrections.ts";
import { importCases } from "./cases/imports.ts";
import { integrationCases } from "./cases/integrations.ts";
import { knowledgeCases } from "./cases/knowledge.ts";
import { modelCases } from "./cases/models.ts";
import { organizationCases } from "./cases/organizations.ts";
import { platformCases } from "./cases/platform.ts";
import { programCases } from "./cases/programs.ts";
import { recordCases } from "./cases/records.ts";
import { signInCases } from "./cases/sign-in.ts";
import { trainingPairsCases } from "./cases/training-pairs.ts";
import { twinCases } from "./cases/twins.ts";
import type { EndpointCase } from "./endpoint-case.ts";

/** @throws for a call that two files of `cases/` declare, because one of them would silently never run */
export function mergeCases(subjects: readonly Record<string, EndpointCase>[]): Record<string, EndpointCase> {
  const merged: Record<string, EndpointCase> = {};
  for (const [key, one] of subjects.flatMap((subject) => Object.entries(subject))) {
    if (key in merged) throw new Error(`${key} has two cases`);
    merged[key] = one;
  }
  return merged;
}

/** Tests that use every case go in this order: the platform assigns a plan only after the organisation has asked for one. */
export const ENDPOINT_CASES = mergeCases([
  signInCases,
  accountCases,
  organizationCases,
  platformCases,
  modelCases,
  recordCases,
  twinCases,
  conversationCases,
  trainingPairsCases,
  correctionCases,
  knowledgeCases,
  programCases,
  integrationCases,
  importCases,
  approvalCases,
  actionCases,
  contactCases,
]);
