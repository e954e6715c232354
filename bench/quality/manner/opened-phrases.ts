// An owner who opens what the product offers him («Эти фразы увидят все»), as its screen does: one phrase after another.
import { readHistory } from "#server/answers/fidelity/read-history.ts";
import { splitHistory } from "#server/answers/fidelity/split-history.ts";
import { listPhrases } from "#server/knowledge/public-replies/phrases.ts";
import { decidePhrase } from "#server/knowledge/public-replies/style-samples.ts";
import { asTenant, type Database } from "#server/platform/db/database.ts";
import { replyExamples } from "#server/platform/db/schema/knowledge.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import type { TalkingTwin } from "../../material/talking-twin.ts";

/** One list of the screen. */
const OPENED = 20;

/**
 * Opens every phrase that is offered until the measured twin has as many as one list. A measure gives the twin only half of the history:
 * phrases of the other half, which would not count, are passed over as if they did not exist.
 */
export async function openOfferedPhrases(db: Database, { twinId, tenant }: TalkingTwin): Promise<string[]> {
  const history = await readHistory(db, { ...tenant, twinId });
  // The seed of the measure itself; `learn` sets the revision.
  const { partOf } = splitHistory(history.messages, seededRandom(`fidelity:${twinId}:1`));
  const known = await asTenant(db, tenant, async (tx) => {
    const pairs = await tx.select({ id: replyExamples.id, message: replyExamples.replyMessageId }).from(replyExamples);
    return new Set(pairs.filter(({ message }) => partOf.get(message) === "one").map(({ id }) => String(id)));
  });
  const caller: Caller = { ...tenant, role: "org_admin", superAdmin: false, confirmed: true, sessionId: "" };
  const opened: string[] = [];
  for (;;) {
    const offered = await asTenant(db, tenant, (tx) => listPhrases(tx, twinId));
    if (offered.length === 0) return opened;
    for (const phrase of offered) {
      const open = known.has(phrase.pairId);
      await decidePhrase(db, caller, twinId, { ...phrase, open });
      if (open) opened.push(phrase.text);
      if (opened.length === OPENED) return opened;
    }
  }
}
