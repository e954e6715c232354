/** Every way in which an owner's answer to one person could reach another one. */
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { Approval } from "#contract/conversations/approvals.ts";
import type { Correction, Proposal } from "#contract/corrections.ts";
import type { TwinVersion } from "#contract/versions.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import { askedTwin, newVisitor, settled } from "../gaps/asked-twin.ts";
import {
  ANSWER,
  answered,
  approve,
  asker,
  corrections,
  expectToldOnlyToAsker,
  expectToldToEverybody,
  PRIVATE,
  prepareTaughtAnswers,
  QUESTION,
  repeated,
  setTwin,
  t,
  twin,
} from "./taught-answers-bench.ts";

prepareTaughtAnswers();

describe("an answer to a question that waited for the owner", () => {
  test("that is learnt is the asker's alone: of ten private answers a stranger who asks the same gets nothing", async () => {
    const askers = PRIVATE.map(() => newVisitor());
    for (const [at, [asked]] of PRIVATE.entries()) await twin.ask(askers[at]!, asked);
    for (const [asked, said] of PRIVATE)
      expect((await approve((await answered(asked, said)).id, "?teach=contact")).statusCode).toBe(200);
    await settled(t);
    const taught = (await corrections()).corrections;
    expect(taught.map(({ scope }) => scope)).toEqual(PRIVATE.map(() => "contact"));
    for (const exchange of PRIVATE) expect(repeated(await twin.ask(newVisitor(), exchange[0]), exchange)).toEqual([]);
    for (const [at, [asked, said]] of PRIVATE.entries()) expect(await twin.ask(askers[at]!, asked)).toContain(said);
  });

  test("says to the twin's owner alone how many people have asked the same, a person on two channels counted once", async () => {
    const admin = await t.signUp();
    const { organizationId } = admin.caller;
    setTwin(await askedTwin(t, await t.signUp({ role: "user", organizationId })));
    for (const visitor of [asker, newVisitor(), newVisitor()]) await twin.ask(visitor, QUESTION);
    await settled(t);
    expect((await twin.drafts()).map(({ people }) => people)).toEqual([3, 3, 3]);
    const [one, other] = await twin.drafts();
    await asTenant(t.services.db, twin.owner.caller, async (tx) => {
      const personId = "00000000-0000-4000-8000-000000000001";
      for (const { conversationId } of [one!, other!]) {
        const [talk] = await tx.select().from(conversations).where(eq(conversations.id, conversationId));
        await tx.update(contacts).set({ personId }).where(eq(contacts.id, talk!.contactId!));
      }
    });
    expect((await twin.drafts()).map(({ people }) => people)).toEqual([2, 2, 2]);
    expect((await twin.list()).gaps).toMatchObject([{ people: 2, times: 3 }]);
    const seen = (await admin.get("/api/approvals")).json<Approval[]>();
    expect(seen).toHaveLength(3);
    expect(seen.every((draft) => !("people" in draft))).toBe(true);
  });
});

describe("the owner's words that wait among the corrections", () => {
  const accept = (body: object) => twin.owner.post(`/api/digital-twins/${twin.twinId}/corrections`, body);

  async function waiting() {
    await twin.ask(asker, QUESTION);
    await approve((await answered(QUESTION, ANSWER)).id, "");
    await settled(t);
    const [one] = (await corrections()).waiting;
    const { from, correction } = one!;
    const proposed = await twin.owner.post(`/api/digital-twins/${twin.twinId}/corrections/proposal`, {
      from,
      correction,
    });
    const { suggested: kind, question, text, rules, ...proposal } = proposed.json<Proposal>();
    return { proposal, lesson: { from, kind, question, text, rules } };
  }

  test("teach nothing before they are accepted, and are proposed and accepted for the contact alone", async () => {
    const { proposal, lesson } = await waiting();
    expect(await twin.ask(newVisitor(), QUESTION)).not.toContain(ANSWER);
    expect(proposal.scopes).toEqual({ fact: "contact", style: "contact", example: "contact" });
    // Nothing in the words is known for private, and still they are the contact's.
    expect(proposal.personal).toBeNull();
    expect((await accept(lesson)).json()).toMatchObject({ scope: "contact" });
    await expectToldOnlyToAsker();
  });

  test("are proposed with the number of people who asked the same, and published once the owner chooses so", async () => {
    await twin.ask(newVisitor(), QUESTION);
    await twin.ask(newVisitor(), `Подскажите, ${QUESTION.toLowerCase()}`);
    const { proposal, lesson } = await waiting();
    expect(proposal.people).toBe(3);
    await accept({ ...lesson, scope: "everybody" });
    await expectToldToEverybody();
  });

  test("that everybody is told are narrowed with one press, and no earlier version brings them back for all", async () => {
    const { lesson } = await waiting();
    const wide = (await accept({ ...lesson, scope: "everybody" })).json<Correction>();
    const path = `/api/digital-twins/${twin.twinId}`;
    expect((await twin.owner.put(`${path}/corrections/${wide.id}`, { scope: "contact" })).json()).toMatchObject({
      ...{ id: wide.id, scope: "contact" },
    });
    await expectToldOnlyToAsker();
    expect((await twin.owner.put(`${path}/corrections/${wide.id}`, { scope: "everybody" })).statusCode).toBe(400);
    await twin.owner.delete(`${path}/corrections/${wide.id}`);
    const [version] = (await twin.owner.get(`${path}/versions`)).json<TwinVersion[]>();
    await twin.owner.post(`${path}/versions/${version!.id}/restore`);
    expect(await twin.ask(newVisitor(), QUESTION)).not.toContain(ANSWER);
  });

  test("keep their scope when they are changed, but a habit for all that becomes an answer is the contact's", async () => {
    const { lesson } = await waiting();
    const rules = [{ habit: "exclamation" as const }];
    const style = (await accept({ ...lesson, kind: "style", rules, scope: "everybody" })).json<Correction>();
    const change = async (id: string, changed: object) =>
      (
        await twin.owner.put(`/api/digital-twins/${twin.twinId}/corrections/${id}`, { lesson: changed })
      ).json<Correction>();
    const { from: _, ...fields } = lesson;
    const kept = await change(style.id, { ...fields, kind: "style", rules });
    expect(kept.scope).toBe("everybody");
    expect((await change(kept.id, { ...fields, kind: "example" })).scope).toBe("contact");
    await expectToldOnlyToAsker();
  });
});

describe("an answer in «Пробелы»", () => {
  const open = async () => (await twin.list()).gaps;

  test("goes to each of several askers, and a question that only the owner has tried is answered for all or not at all", async () => {
    const second = newVisitor();
    await twin.ask(asker, QUESTION);
    await twin.ask(second, `Скажите, ${QUESTION.toLowerCase()}`);
    await settled(t);
    expect(await twin.answer((await open())[0]!, ANSWER)).toBe(204);
    await settled(t);
    for (const visitor of [asker, second]) expect((await twin.lines(visitor)).at(-1)!.text).toContain(ANSWER);
    await expectToldOnlyToAsker(second);

    const [, other] = PRIVATE;
    await twin.owner.post("/api/ai-generate", { twinId: twin.twinId, message: other![0] });
    await settled(t);
    const own = (await open()).find(({ question }) => question === other![0])!;
    expect(own.people).toBe(0);
    expect(await twin.answer(own, other![1])).toBe(422);
    expect(await twin.answerEverybody(own, other![1])).toBe(204);
  });

  test("closes where the asker got a private answer, and stays open for the others who wait", async () => {
    await twin.ask(asker, QUESTION);
    await twin.ask(newVisitor(), PRIVATE[2]![0]);
    await twin.ask(newVisitor(), PRIVATE[2]![0]);
    await settled(t);
    await approve((await answered(QUESTION, ANSWER)).id, "?teach=contact");
    await approve((await answered(...PRIVATE[2]!)).id, "?teach=contact");
    await settled(t);
    expect((await open()).map(({ question }) => question)).toEqual([PRIVATE[2]![0]]);
  });
});
