/** Quotations of private letters by other contacts, in every way to ask. */
import { ne, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { replyExamples } from "#server/db/schema.ts";
import { embeddedReply } from "#server/replies/wording/embedded-reply.ts";
import { buildTwinIndex } from "#server/search/segments/build-twin-index.ts";
import type { Audience } from "#server/search/twin-units.ts";
import {
  ids,
  owner,
  PEOPLE,
  prepared,
  preparePrivateReplies,
  QUESTIONS,
  run,
  t,
  twinId,
} from "./private-replies-bench.ts";

preparePrivateReplies();

test("a contact who quotes another contact's question gets the same answer as if it had never been asked", async () => {
  const contactId = ids.get(PEOPLE[0]!)!;
  const asking: Audience[] = [{ kind: "stranger" }, { kind: "member" }, { kind: "contact", contactId }];
  const answers = async () => {
    const all = [];
    for (const audience of asking) {
      for (const message of QUESTIONS) {
        const request = await prepared(audience, message, "embedded");
        const { plan, confidence, chunks } = request;
        all.push({ audience, message, said: embeddedReply(request), plan, confidence, chunks });
      }
    }
    return all;
  };
  const before = await answers();
  await run(async (tx) => {
    await tx.delete(replyExamples).where(ne(replyExamples.contactId, contactId));
    await tx.execute(sql`update twins set knowledge_revision = knowledge_revision + 1 where id = ${twinId}`);
  });
  await buildTwinIndex(t.services.db, owner.caller, twinId);
  expect(await answers()).toEqual(before);
});
