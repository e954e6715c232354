import { accountCases } from "./cases/account.ts";
import { modelCases } from "./cases/models.ts";
import { organizationCases } from "./cases/organizations.ts";
import { platformCases } from "./cases/platform.ts";
import { recordCases } from "./cases/records.ts";
import { signInCases } from "./cases/sign-in.ts";
import { describeAccess } from "./describe-access.ts";

describeAccess([signInCases, accountCases, organizationCases, platformCases, modelCases, recordCases]);
