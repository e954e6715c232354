import { useState } from "react";
import type { Approval } from "#contract/conversations/approvals.ts";
import { downloadCsv } from "#web/files/csv.ts";
import { type Forms, plural } from "#web/i18n/plural.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { readAllConversations } from "../queries.ts";
import type { ConversationFilters, ShownConversation } from "../shown-conversation.ts";
import { approvalsCsv } from "./export-approvals.ts";
import { conversationsCsv } from "./export-conversations.ts";

const conversations: Forms = ["диалог", "диалога", "диалогов"];
const answers: Forms = ["ответ", "ответа", "ответов"];

interface Exported {
  file: string;
  csv: string;
  count: number;
  forms: Forms;
}

/** Exports the list on the screen: waiting answers, loaded conversations, or all that the server has for the filters. */
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
  const conversationsFile = (rows: readonly ShownConversation[]): Exported => ({
    file: "dialogi",
    csv: conversationsCsv(rows),
    count: rows.length,
    forms: conversations,
  });
  return {
    exporting,
    exportConversations: (rows: readonly ShownConversation[]) => void save(() => conversationsFile(rows)),
    exportFound: (filters: ConversationFilters) =>
      void save(async () => conversationsFile(await readAllConversations(filters))),
    exportApprovals: (rows: readonly Approval[]) =>
      void save(() => ({ file: "otvety", csv: approvalsCsv(rows), count: rows.length, forms: answers })),
  };
}
