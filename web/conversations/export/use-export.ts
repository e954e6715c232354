import { useState } from "react";
import type { Approval } from "#contract/conversations/approvals.ts";
import { downloadCsv } from "#web/files/csv.ts";
import { type Forms, plural } from "#web/i18n/plural.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import type { Dialogue, DialogueFilters } from "../dialogue.ts";
import { readAllDialogues } from "../queries.ts";
import { approvalsCsv } from "./export-approvals.ts";
import { dialoguesCsv } from "./export-dialogues.ts";

const dialogues: Forms = ["диалог", "диалога", "диалогов"];
const answers: Forms = ["ответ", "ответа", "ответов"];

interface Exported {
  file: string;
  csv: string;
  count: number;
  forms: Forms;
}

/** The list on the screen as a file: answers that wait, dialogues at hand, or all that the server has for the filters. */
export function useExport() {
  const [exporting, setExporting] = useState(false);
  async function save(make: () => Exported | Promise<Exported>) {
    setExporting(true);
    try {
      const { file, csv, count, forms } = await make();
      downloadCsv(`${file}-${new Date().toLocaleDateString("sv-SE")}.csv`, csv);
      toast({ title: "Экспорт готов", description: plural(count, forms) });
    } catch (error) {
      toastError("Не удалось выгрузить список")(error);
    } finally {
      setExporting(false);
    }
  }
  const dialoguesFile = (rows: readonly Dialogue[]): Exported => ({
    file: "dialogi",
    csv: dialoguesCsv(rows),
    count: rows.length,
    forms: dialogues,
  });
  return {
    exporting,
    exportDialogues: (rows: readonly Dialogue[]) => void save(() => dialoguesFile(rows)),
    exportFound: (filters: DialogueFilters) => void save(async () => dialoguesFile(await readAllDialogues(filters))),
    exportApprovals: (rows: readonly Approval[]) =>
      void save(() => ({ file: "otvety", csv: approvalsCsv(rows), count: rows.length, forms: answers })),
  };
}
