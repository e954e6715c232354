// How long the next answer to a friend is. Asked one message at a time, a model writes every answer of the same moderate length; people
// write one word and then five lines.
import type { Quartiles } from "#contract/quality.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import type { ReplyRequest } from "../reply-request.ts";

/** Distance between the quartiles of a normal distribution, in standard deviations. */
const BETWEEN_QUARTILES = 1.349;
/** In standard deviations; farther away the quartiles say nothing of the owner. */
const FARTHEST = 1.5;

/**
 * A sentence of the prompt that names a length in characters, drawn from the owner's own lengths (log-normal through the quartiles of his
 * whole replies) by the conversation and the message, so that the same message draws the same length. Empty for a business, whose answers
 * are as long as the question needs, and where the owner's lengths are not known.
 */
export function replyLength({ twin, profile, seed, message }: ReplyRequest): string {
  if (twin.purpose !== "friends" || profile === null || profile.messages === 0) return "";
  const characters = drawLength(profile.turn.characters, seededRandom(`length ${seed ?? message}`));
  return characters === null
    ? ""
    : `Длина его ответов каждый раз другая: то одно слово, то несколько фраз. В этот раз около ${characters} знаков; если сказать столько нечего, пиши короче.`;
}

function drawLength({ p25, median, p75 }: Quartiles, random: () => number): number | null {
  if (p25 <= 0 || p75 <= p25) return null;
  const deviation = Math.log(p75 / p25) / BETWEEN_QUARTILES;
  // Box and Muller; one of the two is enough.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const length = median * Math.exp(deviation * Math.max(-FARTHEST, Math.min(FARTHEST, normal)));
  return length < 20 ? Math.max(1, Math.round(length)) : Math.round(length / 10) * 10;
}
