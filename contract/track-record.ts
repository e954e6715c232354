import * as z from "zod/mini";

/** Answers that the owner decided on, and those among them that he rewrote or rejected. */
export const TrackRecord = z.object({ decided: z.number(), corrected: z.number() });
export type TrackRecord = z.infer<typeof TrackRecord>;
