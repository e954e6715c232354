/** How the owner decided on a twin's earlier answers corrects the probability of the next one. */
import type { TrackRecord } from "#contract/track-record.ts";

/** Decisions that weigh as much as the fitted probability: a twin without any works from its first day. */
const PRIOR = 15;

/** The mean of a beta distribution whose prior is the fitted probability. */
export const withTrackRecord = (probability: number, { decided, corrected }: TrackRecord): number =>
  (PRIOR * probability + decided - corrected) / (PRIOR + decided);
