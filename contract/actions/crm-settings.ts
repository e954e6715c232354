/** A tool that reads a deal of the organisation's CRM, or writes a note into the deal of its conversation. */
import * as z from "zod/mini";

/** What of a deal the asker may learn. */
export const DEAL_COLUMNS = ["title", "stage", "amount"] as const;
/** What of a deal and its contact a proof may be compared with. */
export const DEAL_SOURCES = ["phone", "email", "name", "deal"] as const;

export const CrmSettings = {
  kind: z.literal("crm"),
  /** deal: reads. note: writes a note. */
  does: z.enum(["deal", "note"], "Выберите, что делает действие"),
  /** By what a deal is found; the latest one of a phone. */
  key: z.enum(["deal", "phone"], "Выберите, по чему искать"),
  shown: z
    .array(z.enum(DEAL_COLUMNS, "Неизвестное поле сделки"))
    .check(z.minLength(1, "Выберите, что сообщать"), z.maxLength(3, "Слишком много полей")),
};

export const CrmInput = z.object(CrmSettings);

/** `system` and `host`: of the CRM that the twin's conversations go to. */
export const ShownCrm = z.object({ ...CrmSettings, system: z.string(), host: z.string() });
