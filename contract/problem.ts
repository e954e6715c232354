import * as z from "zod/mini";

/** Every error answer has this body; `message` is a Russian sentence for the user, `code` is stable for programs. */
export const ProblemBody = z.object({
  message: z.string(),
  code: z.string(),
  requestId: z.string(),
  /** Field path → sentence, with code `invalid_input`. */
  fields: z.optional(z.record(z.string(), z.string())),
});
export type ProblemBody = z.infer<typeof ProblemBody>;
