import { actionCases } from "./cases/actions.ts";
import { approvalCases } from "./cases/approvals.ts";
import { contactCases } from "./cases/contacts.ts";
import { importCases } from "./cases/imports.ts";
import { integrationCases } from "./cases/integrations.ts";
import { programCases } from "./cases/programs.ts";
import { describeAccess } from "./describe-access.ts";

describeAccess([programCases, integrationCases, importCases, approvalCases, actionCases, contactCases]);
