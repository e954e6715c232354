/** Whether an answer is sent automatically once the owner's decisions on earlier ones are counted. */

import type { TrackRecord } from "#contract/track-record.ts";
import { SENT_FROM } from "./record/send-weights.ts";
import { withTrackRecord } from "./record/track-record.ts";

/** How often answers without a probability that are sure enough were right in measurements (docs/quality.md). */
const PLAIN_PRIOR = 0.95;
/**
 * They are sent as a kind until the owner's decisions bring the estimate below this: three of the twenty in an exam that he would not have sent
 * do, two, which may be chance, do not. A threshold for single answers (`SENT_FROM`) would silence a twin without any decision.
 */
const PLAIN_SENT_FROM = 0.93;

/** For an answer with a probability. @param probability as fitted, before any decision */
export const isSentWith = (probability: number, track: TrackRecord): boolean =>
  withTrackRecord(probability, track) >= SENT_FROM;

/** For an answer without a probability whose confidence suffices: its owner has marked others of that kind in the twin's exam. */
export const arePlainAnswersSent = (track: TrackRecord): boolean =>
  withTrackRecord(PLAIN_PRIOR, track) >= PLAIN_SENT_FROM;
