import * as z from "zod/mini";

/** A message of a talk that leads to what a member decides on. */
export const EarlierMessage = z.object({
  by: z.enum(["contact", "twin", "owner"]),
  /** The beginning of the message, when it is long. */
  text: z.string(),
  at: z.string(),
});
export type EarlierMessage = z.infer<typeof EarlierMessage>;
