/** A deal of the organisation's CRM, or a note in the deal of the conversation. */
import { eq } from "drizzle-orm";
import { CRM_NAMES } from "#contract/integrations/crm.ts";
import { crmConnections, crmTwins } from "#server/platform/db/schema/programs.ts";
import { notFound } from "#server/platform/errors.ts";
import { CrmDeskTrouble, crmDeskOf } from "../crm-desk.ts";
import { bounded } from "../json-result.ts";
import type { CallOutcomeOf, ToolKind } from "../tool-kind.ts";

type Field = ReturnType<ToolKind<"crm">["fieldsOf"]>[number];

const field = (name: string, label: string, type: Field["type"]): Field => ({
  ...{ name, label, type, required: true, description: "", choices: [] },
});
const FIELDS = {
  deal: field("deal", "Номер сделки", "number"),
  phone: field("phone", "Телефон", "phone"),
  note: field("text", "Что передать", "text"),
};
const LABELS = { title: "Сделка", stage: "Этап", amount: "Сумма" };
const NOTHING_SENT = { status: null, answer: "" };

export const crmKind: ToolKind<"crm"> = {
  fieldsOf: ({ does, key }) => [does === "note" ? FIELDS.note : FIELDS[key]],
  targetOf: ({ does, system, host }) => `${does === "note" ? "Заметка" : "Сделка"} ${host} ${system}`.slice(0, 200),
  requireSound: () => {},

  async store(tx, { twinId }, input) {
    const [row] = await tx
      .select({ system: crmConnections.system, host: crmConnections.host })
      .from(crmTwins)
      .innerJoin(crmConnections, eq(crmConnections.id, crmTwins.connectionId))
      .where(eq(crmTwins.twinId, twinId));
    if (row === undefined) throw notFound("Сначала выберите CRM для этого двойника на странице «CRM»", "crm_not_found");
    return { ...input, system: CRM_NAMES[row.system], host: row.host };
  },

  secretsOf: () => ({}),
  bind: async () => {},
  show: (settings) => settings,
  connectionOf: () => null,
  preview: ({ does, system }, values) => ({
    method: does === "note" ? "Заметка" : "Сделка",
    url: system,
    body: values.map(({ label, value }) => `${label}: ${value}`).join("\n"),
  }),

  async call(deps, tenant, { settings, twinId }, { values, idempotencyKey, signal }): Promise<CallOutcomeOf> {
    const desk = crmDeskOf(deps.db);
    const failed = (reason: string): CallOutcomeOf => ({ kind: "failed", reason, ...NOTHING_SENT });
    if (desk === undefined) return failed("CRM не подключена");
    const valueNamed = (name: string) => values.find((one) => one.name === name)?.value ?? "";
    try {
      if (settings.does === "note") {
        if (idempotencyKey === null) return failed("Заметку можно оставить только в диалоге");
        await desk.addNote(tenant, idempotencyKey, valueNamed("text"), signal);
        return { kind: "done", result: [], read: () => null, ...NOTHING_SENT };
      }
      const by = settings.key === "deal" ? { deal: valueNamed("deal") } : { phone: valueNamed("phone") };
      const deal = await desk.readDeal(tenant, twinId, by, signal);
      if (deal === null) return { kind: "absent", ...NOTHING_SENT };
      const { title, stage, amount } = deal;
      const columns = { title, stage, amount };
      const sources: Record<string, string> = {
        ...{ phone: deal.contact.phones[0] ?? "", email: deal.contact.email },
        ...{ name: deal.contact.name, deal: deal.number },
      };
      return {
        ...{ kind: "done", ...NOTHING_SENT },
        result: bounded(settings.shown.map((name) => ({ label: LABELS[name], value: columns[name] }))),
        read: (source) => sources[source] || null,
      };
    } catch (error) {
      if (!(error instanceof CrmDeskTrouble)) throw error;
      return { kind: error.unknown ? "unknown" : "failed", reason: error.message, ...NOTHING_SENT };
    }
  },
};
