/**
 * Deletes an account with its twins and their knowledge, its own organisations, and its texts elsewhere. A record of the deletion stays.
 */
import { and, eq, ne, sql } from "drizzle-orm";
import {
  ACCOUNT_WORD,
  type AccountDeletion,
  type DestructionRecord,
  ENGLISH_ACCOUNT_WORD,
} from "#contract/organizations/records.ts";
import { removeMediaRemains } from "#server/models/media/remains.ts";
import { leaveWithAccount } from "#server/operations/offboarding/remove-member.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { memberships, organizations, users } from "#server/platform/db/schema/accounts.ts";
import { blindTests } from "#server/platform/db/schema/answers.ts";
import { conversationNotes, replyFeedback } from "#server/platform/db/schema/conversations.ts";
import { exportUploads, imports } from "#server/platform/db/schema/imports.ts";
import { conflict } from "#server/platform/errors.ts";
import { removeFiles } from "#server/platform/files/stored-files.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { addCounts, countsOf, NO_DELETIONS } from "./counts.ts";
import { type DeletionDeps, dropOrganization, emptyOrganization } from "./delete-organization.ts";
import { asksPassword, type DeletionProof, requireProof } from "./deletion-proof.ts";
import { recordDestruction } from "./destruction-records.ts";

interface Place {
  organizationId: string;
  name: string;
  outcome: AccountDeletion["places"][number]["outcome"];
}

export async function accountDeletion(db: Database, caller: Caller): Promise<AccountDeletion> {
  const { userId } = caller;
  let counts = NO_DELETIONS;
  const places: AccountDeletion["places"] = [];
  for (const place of await placesOf(db, userId)) {
    const { organizationId, outcome } = place;
    const owner = outcome === "deleted" ? undefined : userId;
    const own = await asTenant(db, { organizationId, userId }, (tx) => countsOf(tx, organizationId, owner));
    places.push({ ...place, twins: own.twins });
    counts = addCounts(counts, own);
  }
  return { asksPassword: await asksPassword(db, userId), places, counts };
}

/** @throws Problem 400, 403, 429 from `requireProof`; 409 for the last administrator of an organisation with other members */
export async function deleteAccount(
  deps: DeletionDeps,
  caller: Caller,
  proof: DeletionProof,
): Promise<DestructionRecord> {
  const { db, jobs } = deps;
  const { userId } = caller;
  await requireProof(deps, caller, proof, ACCOUNT_WORD, ENGLISH_ACCOUNT_WORD);
  const places = await placesOf(db, userId);
  refuseHandOver(places);
  const { counts } = await accountDeletion(db, caller);
  const files: string[] = [];
  for (const { organizationId, outcome } of places) {
    const tenant = { organizationId, userId };
    if (outcome === "deleted") files.push(...(await emptyOrganization(deps, tenant)));
    else files.push(...(await leaveOrganization(deps, tenant)));
  }
  const record = await db.transaction(async (tx) => {
    // A member who has become the last administrator meanwhile stays one, because nothing of the organisation was changed yet.
    const now = await placesOf(tx, userId);
    refuseHandOver(now);
    for (const { organizationId, outcome } of now) {
      if (outcome === "deleted") await dropOrganization(tx, jobs, organizationId);
    }
    await jobs.forgetTenant(tx, { userId });
    await tx.delete(users).where(eq(users.id, userId));
    return recordDestruction(tx, { kind: "account", subject: userId, by: userId, counts, orgId: null });
  });
  await removeFiles(deps, files);
  await removeMediaRemains(deps);
  return record;
}

/** Returns the organisations of the account, and what its deletion does to each. */
async function placesOf(db: Tx, userId: string): Promise<Place[]> {
  const others = (role?: "org_admin") =>
    sql<number>`(select count(*) from ${memberships} o where o.org_id = ${memberships.orgId} and o.user_id <> ${userId}
      ${role === undefined ? sql`` : sql`and o.role = ${role}`})`;
  const rows = await db
    .select({
      organizationId: organizations.id,
      name: organizations.name,
      role: memberships.role,
      others: others(),
      administrators: others("org_admin"),
    })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.orgId))
    .where(eq(memberships.userId, userId))
    .orderBy(memberships.createdAt, memberships.orgId);
  return rows.map(({ organizationId, name, role, others, administrators }) => ({
    organizationId,
    name,
    outcome: others === 0 ? "deleted" : role === "org_admin" && administrators === 0 ? "hand-over" : "left",
  }));
}

function refuseHandOver(places: readonly Place[]): void {
  const [kept] = places.filter(({ outcome }) => outcome === "hand-over");
  if (kept === undefined) return;
  throw conflict(
    "last_administrator",
    `Вы единственный администратор организации «${kept.name}». Назначьте администратором другого участника или удалите организацию целиком.`,
  );
}

/**
 * Leaves an organisation that stays. Removes the account's twins, connections (also to colleagues' twins), test chats, notes, ratings and
 * uploads; colleagues keep their own texts.
 * @returns files for the caller to remove after the commit
 */
async function leaveOrganization(
  deps: DeletionDeps,
  tenant: { organizationId: string; userId: string },
): Promise<string[]> {
  const { userId } = tenant;
  await leaveWithAccount(deps, tenant);
  return asTenant(deps.db, tenant, async (tx) => {
    const ended = await tx
      .delete(imports)
      .where(and(eq(imports.userId, userId), ne(imports.status, "done")))
      .returning({ name: imports.storedName });
    const sent = await tx
      .delete(exportUploads)
      .where(eq(exportUploads.userId, userId))
      .returning({ name: exportUploads.storedName });
    await tx.delete(conversationNotes).where(eq(conversationNotes.authorId, userId));
    await tx.delete(replyFeedback).where(eq(replyFeedback.userId, userId));
    await tx.delete(blindTests).where(eq(blindTests.userId, userId));
    return [...ended, ...sent].flatMap(({ name }) => name ?? []);
  });
}
