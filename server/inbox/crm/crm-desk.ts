/** What tools of a twin do in the CRM that its conversations go to (server/answers/tools/crm-desk.ts). */
import { and, eq } from "drizzle-orm";
import { CRM_NAMES, type CrmSystem } from "#contract/integrations/crm.ts";
import { type CrmDeal, type CrmDesk, CrmDeskTrouble } from "#server/answers/tools/crm-desk.ts";
import { asTenant, type Tenant } from "#server/platform/db/database.ts";
import { crmCards, crmConnections, crmTwins } from "#server/platform/db/schema/programs.ts";
import { acts } from "#server/platform/db/schema/tools.ts";
import { type CrmSession, CrmTrouble } from "./crm-system.ts";
import { type CrmDeps, protocolOf, validTokens } from "./tokens.ts";

interface Place {
  id: string;
  system: CrmSystem;
  host: string;
}

const CONNECTION = { id: crmConnections.id, system: crmConnections.system, host: crmConnections.host };

export function openCrmDesk(deps: CrmDeps): CrmDesk {
  /** @param writes whether a call that was not answered may have been done */
  async function visit<T>(
    tenant: Tenant,
    { id, system, host }: Place,
    { signal, writes }: { signal: AbortSignal; writes: boolean },
    work: (session: CrmSession) => Promise<T>,
  ): Promise<T> {
    let refused: string | null = null;
    for (;;) {
      try {
        const tokens = await validTokens(deps, tenant, id, refused);
        if (tokens === undefined) throw new CrmDeskTrouble("CRM отключена", false);
        refused ??= null;
        try {
          return await work(protocolOf(deps.config, system).open(host, tokens.accessToken, signal));
        } catch (error) {
          // The CRM may have revoked the access token early.
          if (!(error instanceof CrmTrouble) || error.kind !== "auth" || refused !== null) throw error;
          refused = tokens.accessToken;
        }
      } catch (error) {
        if (!(error instanceof CrmTrouble)) throw error;
        const isAway = error.kind === "away";
        const said = isAway ? `${CRM_NAMES[system]} не отвечает` : error.message;
        throw new CrmDeskTrouble(said, isAway && writes, { cause: error });
      }
    }
  }

  return {
    async readDeal(tenant, twinId, by, signal): Promise<CrmDeal | null> {
      const [place] = await asTenant(deps.db, tenant, (tx) =>
        tx
          .select(CONNECTION)
          .from(crmTwins)
          .innerJoin(crmConnections, eq(crmConnections.id, crmTwins.connectionId))
          .where(eq(crmTwins.twinId, twinId)),
      );
      if (place === undefined) throw new CrmDeskTrouble("Для двойника не выбрана CRM", false);
      return visit(tenant, place, { signal, writes: false }, (session) => session.deal(by));
    },

    async addNote(tenant, actId, text, signal): Promise<void> {
      const [found] = await asTenant(deps.db, tenant, (tx) =>
        tx
          .select({ ...CONNECTION, dealId: crmCards.dealId })
          .from(acts)
          .innerJoin(crmCards, and(eq(crmCards.conversationId, acts.conversationId), eq(crmCards.state, "made")))
          .innerJoin(crmConnections, eq(crmConnections.id, crmCards.connectionId))
          .where(eq(acts.id, actId)),
      );
      if (found?.dealId == null) throw new CrmDeskTrouble("У этого диалога ещё нет сделки в CRM", false);
      const { dealId, ...place } = found;
      await visit(tenant, place, { signal, writes: true }, (session) => session.addNote(dealId, text));
    },
  };
}
