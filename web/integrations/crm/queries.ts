import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { integrationsApi } from "#contract/integrations/integrations.ts";
import { queryOf } from "#web/api/query.ts";
import { whileReimporting } from "#web/parts/reimport/reimport-ends.ts";
import { ShownIntegration } from "../shown-integration.ts";

const shownCrmList = { ...integrationsApi.crm, output: z.array(ShownIntegration) };

export const useCrmIntegrations = () => useQuery({ ...queryOf(shownCrmList), refetchInterval: whileReimporting });
