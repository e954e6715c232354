import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { invitations, lettersSent, oneTimeLinks, users } from "#server/platform/db/schema/accounts.ts";
import { type Mailbox, openMailbox } from "#server/test/sign-in/mailbox.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { LETTERS_PER_DAY } from "./letter-limit.ts";

let t: TestApp;
let mailbox: Mailbox;
beforeAll(async () => {
  t = await testApp();
  mailbox = openMailbox(t.services);
});
afterAll(() => t.close());

const newEmail = () => `${randomUUID()}@example.test`;
const membersOf = ({ caller }: TestClient) => `/api/organizations/${caller.organizationId}/users`;
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000 - 1000);

test("invitations to one mailbox are counted across revocations and organisations", async () => {
  const email = newEmail();
  const admins = [await t.signUp(), await t.signUp()];
  const statuses: number[] = [];
  for (let time = 0; time <= LETTERS_PER_DAY.recipient.invitation; time++) {
    const admin = admins[time % 2]!;
    const answer = await admin.post(membersOf(admin), { email });
    statuses.push(answer.statusCode);
    if (answer.statusCode === 201) {
      expect((await admin.delete(`${membersOf(admin)}/${answer.json().id}`)).statusCode).toBe(204);
      continue;
    }
    expect(answer.json()).toMatchObject({ code: "too_many_letters" });
    const wait = Number(answer.headers["retry-after"]);
    expect(wait).toBeGreaterThan(23 * 3600);
    expect(wait).toBeLessThanOrEqual(24 * 3600);
  }
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  // The refused invitation leaves nothing behind, and a day later it may be sent.
  expect(await t.services.db.select().from(invitations).where(eq(invitations.email, email))).toEqual([]);
  await t.services.db.update(lettersSent).set({ at: daysAgo(1) });
  expect((await admins[0]!.post(membersOf(admins[0]!), { email })).statusCode).toBe(201);
});

test("one account can request a limited number of letters a day, regardless of the recipient", async () => {
  const admin = await t.signUp();
  const { userId } = admin.caller;
  const already = Array.from({ length: LETTERS_PER_DAY.account - 1 }, (_, i) => ({
    kind: "invitation" as const,
    recipient: String(i),
    userId,
  }));
  await t.services.db.insert(lettersSent).values(already);
  expect((await admin.post(membersOf(admin), { email: newEmail() })).statusCode).toBe(201);
  const over = await admin.post(membersOf(admin), { email: newEmail() });
  expect(over.statusCode).toBe(429);
  expect(Number(over.headers["retry-after"])).toBeGreaterThan(3600);
});

test("one organisation can send a limited number of letters a day, by whichever administrator", async () => {
  const admin = await t.signUp();
  const orgId = admin.caller.organizationId;
  const other = await t.signUp({ organizationId: orgId, role: "org_admin" });
  await t.services.db.insert(lettersSent).values(
    Array.from({ length: LETTERS_PER_DAY.organization }, (_, i) => ({
      kind: "invitation" as const,
      recipient: `${i}`,
      orgId,
    })),
  );
  expect((await other.post(membersOf(other), { email: newEmail() })).statusCode).toBe(429);
});

test("simultaneous requests send no more letters than consecutive ones", async () => {
  const admins = await Promise.all(Array.from({ length: 8 }, () => t.signUp()));
  const email = newEmail();
  const answers = await Promise.all(admins.map((admin) => admin.post(membersOf(admin), { email })));
  expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(LETTERS_PER_DAY.recipient.invitation);
});

test("a reset link is sent five times, then once an hour, and every answer is the same", async () => {
  const person = await t.signUp();
  const { db } = t.services;
  const [row] = await db.select().from(users).where(eq(users.id, person.caller.userId));
  const email = row!.email!;
  const ask = async (place: number) => {
    await db
      .update(oneTimeLinks)
      .set({ createdAt: daysAgo(0.1) })
      .where(eq(oneTimeLinks.userId, row!.id));
    const answer = await t.app.inject({
      method: "POST",
      url: "/api/auth/email/forgot",
      payload: { email },
      remoteAddress: `192.0.2.${place}`,
    });
    expect(answer.json()).toEqual({ success: true, letter: "mail" });
  };
  const letters = () => mailbox.letters.filter(({ to }) => to === email).length;
  const most = LETTERS_PER_DAY.recipient.reset;
  for (let time = 1; time <= most; time++) {
    await ask(time);
    await expect.poll(letters, { timeout: 10_000 }).toBe(time);
  }
  await ask(most + 1);
  // Letters are sent after their responses, in order: the next person's letter has arrived, so an earlier one would have too.
  const next = await t.signUp();
  const [other] = await db.select().from(users).where(eq(users.id, next.caller.userId));
  await t.anonymous.post("/api/auth/email/forgot", { email: other!.email });
  await mailbox.tokenTo(other!.email!);
  expect(letters()).toBe(most);
  // An hour after the last link another may be sent, so a stranger who asks repeatedly locks no user out.
  await db.execute(sql`update letters_sent set at = at - interval '61 minutes' where kind = 'reset'`);
  await ask(most + 2);
  await expect.poll(letters, { timeout: 10_000 }).toBe(most + 1);
});

test("no e-mail address is stored in plain text", async () => {
  const rows = JSON.stringify(await t.services.db.select().from(lettersSent));
  expect(rows).not.toContain("@");
});
