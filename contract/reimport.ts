import * as z from "zod/mini";

/** Whether a history can be read again («Переимпорт», «Sync Now»), and how its last reading went. */
export const ReimportState = z.object({
  /** Why it cannot, a Russian sentence with what to do instead; null: it can. */
  obstacle: z.nullable(z.string()),
  running: z.boolean(),
  /** Why the last reading has failed, a Russian sentence; null: it has not. */
  failure: z.nullable(z.string()),
});
export type ReimportState = z.infer<typeof ReimportState>;
