import * as z from "zod/mini";

/** Whether a history can be imported again («Переимпорт», «Sync Now»), and whether the last import failed. */
export const ReimportState = z.object({
  /** Why it cannot be imported again and what to do instead, in Russian; null when it can. */
  obstacle: z.nullable(z.string()),
  running: z.boolean(),
  /** Why the last import failed, in Russian; null when it succeeded. */
  failure: z.nullable(z.string()),
});
export type ReimportState = z.infer<typeof ReimportState>;
