// Whether a text fits where a true reply is known: it is nearer to it than to nine others of the same person.
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import { nearness } from "./nearness.ts";

const DISTRACTORS = 9;

/** @returns for a text, the true reply and its place among `replies`: 1, 0, or a share where several are as near; by chance .1 */
export function fitIn(replies: readonly string[], seed: string): (text: string, reply: string, at: number) => number {
  const near = nearness(replies);
  return (text, reply, at) => {
    const random = seededRandom(`distractors ${seed} ${at}`);
    const own = near(text, reply);
    const others = Array.from({ length: DISTRACTORS }, () => {
      const place = (at + 1 + Math.floor(random() * (replies.length - 1))) % replies.length;
      return near(text, replies[place]!);
    });
    if (others.some((one) => one > own)) return 0;
    return 1 / (1 + others.filter((one) => one === own).length);
  };
}
