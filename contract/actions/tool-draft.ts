/** «Проверить» before a tool is saved: the owner chooses by the first answer what is reported and what proves it. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { ToolInput, ToolTrial, TrialInput } from "./tools.ts";

export const DraftTrialInput = z.object({
  twinId: z.uuid("Выберите цифрового двойника"),
  /** The saved tool that is being changed: its header values stand where the input has none. Absent for a new one. */
  toolId: z.optional(z.uuid("Неверное действие")),
  tool: ToolInput,
  ...TrialInput.shape,
});
export type DraftTrialInput = z.infer<typeof DraftTrialInput>;

export const toolDraftApi = {
  try: endpoint("POST /api/tools/try", {
    access: "editor",
    refreshes: "nothing",
    summary: "Проверить несохранённое действие на примере, без собеседника",
    input: DraftTrialInput,
    output: ToolTrial,
  }),
};
