/** How the owner decided on a twin's earlier answers corrects the probability of the next one. */
import type { TrackRecord } from "#contract/track-record.ts";

/**
 * Decisions that weigh as much as the fitted probability: a twin without any works from its first day. As many as are remembered, so that
 * two corrections among forty, which may be chance, do not stop a twin whose threshold is four errors in a hundred.
 */
const PRIOR = 40;

/** The mean of a beta distribution whose prior is the fitted probability. */
export const withTrackRecord = (probability: number, { decided, corrected }: TrackRecord): number =>
  (PRIOR * probability + decided - corrected) / (PRIOR + decided);
