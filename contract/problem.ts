import * as z from "zod/mini";
import type { ErrorCode } from "./error-codes.ts";

/** The body of every error response; `message` is a Russian sentence for the user, `code` is stable for programs. */
export const ProblemBody = z.object({
  message: z.string(),
  /** Any text is accepted, because a newer server may send codes that an older browser does not know; the screen shows the sentence. */
  code: z.string() as unknown as z.ZodMiniType<ErrorCode, string>,
  requestId: z.string(),
  /** Maps field paths to error sentences; present with code `invalid_input`. */
  fields: z.optional(z.record(z.string(), z.string())),
});
export type ProblemBody = z.infer<typeof ProblemBody>;
