import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Label } from "#contract/conversations/conversations.ts";
import { type CountedLabel, LABELS_LIMIT, type LabelInput } from "#contract/conversations/labels.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { conversationLabels, conversations, labels } from "#server/platform/db/schema/conversations.ts";
import { conflict, notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { canChangeConversation } from "./access.ts";

const labelNotFound = () => notFound("Метка не найдена", "label_not_found");
const shown = { id: labels.id, name: labels.name };
const byName = [asc(sql`lower(${labels.name})`), asc(labels.id)];

export function listLabels(db: Database, caller: Tenant): Promise<CountedLabel[]> {
  return asTenant(db, caller, (tx) =>
    tx
      .select({
        ...shown,
        conversations: sql<number>`(select count(*) from ${conversationLabels}
          where ${conversationLabels.labelId} = ${labels.id})::int`,
      })
      .from(labels)
      .where(eq(labels.orgId, caller.organizationId))
      .orderBy(...byName)
      .limit(LABELS_LIMIT),
  );
}

/** Two members who enter the same word get the same label. @throws Problem 409 when the maximum number exists */
export function createLabel(db: Database, caller: Caller, { name }: LabelInput): Promise<Label> {
  const orgId = caller.organizationId;
  return asTenant(db, caller, async (tx) => {
    const [known] = await labelNamed(tx, name);
    if (known) return known;
    const [{ count } = { count: 0 }] = await tx
      .select({ count: sql<number>`count(*)::int` })
      .from(labels)
      .where(eq(labels.orgId, orgId));
    if (count >= LABELS_LIMIT) {
      throw conflict("too_many_labels", `Не больше ${LABELS_LIMIT} меток: удалите ненужные`);
    }
    const [made] = await tx.insert(labels).values({ orgId, name }).onConflictDoNothing().returning(shown);
    return made ?? (await labelNamed(tx, name))[0]!;
  });
}

const labelNamed = (tx: Tx, name: string) =>
  tx.select(shown).from(labels).where(sql`lower(${labels.name}) = lower(${name})`).limit(1);

/** @throws Problem 404 */
export function removeLabel(db: Database, caller: Caller, id: string): Promise<void> {
  return asTenant(db, caller, async (tx) => {
    // A cascade would run as the tables' owner and could notify no open window.
    await tx.delete(conversationLabels).where(eq(conversationLabels.labelId, id));
    const [gone] = await tx.delete(labels).where(eq(labels.id, id)).returning({ id: labels.id });
    if (gone === undefined) throw labelNotFound();
  });
}

/** @throws Problem 404 for either, 403 */
export function setLabel(
  db: Database,
  caller: Caller,
  { conversationId, labelId, has }: { conversationId: string; labelId: string; has: boolean },
): Promise<void> {
  return asTenant(db, caller, async (tx) => {
    await canChangeConversation(tx, caller, conversationId);
    const [label] = await tx.select(shown).from(labels).where(eq(labels.id, labelId)).for("key share");
    if (label === undefined) throw labelNotFound();
    if (has) {
      await tx
        .insert(conversationLabels)
        .values({ orgId: caller.organizationId, conversationId, labelId })
        .onConflictDoNothing();
      return;
    }
    await tx
      .delete(conversationLabels)
      .where(and(eq(conversationLabels.conversationId, conversationId), eq(conversationLabels.labelId, labelId)));
  });
}

/** Returns the labels of each conversation, ordered by name; a conversation without labels is missing. */
export async function labelsOf(tx: Tx, ids: readonly string[]): Promise<Map<string, Label[]>> {
  const found = new Map<string, Label[]>();
  if (ids.length === 0) return found;
  const rows = await tx
    .select({ ...shown, conversationId: conversationLabels.conversationId })
    .from(conversationLabels)
    .innerJoin(labels, eq(labels.id, conversationLabels.labelId))
    .where(inArray(conversationLabels.conversationId, [...ids]))
    .orderBy(...byName);
  for (const { conversationId, ...label } of rows)
    found.set(conversationId, [...(found.get(conversationId) ?? []), label]);
  return found;
}

export const hasLabel = (labelId: string) =>
  sql`exists (select 1 from ${conversationLabels} where ${conversationLabels.conversationId} = ${conversations.id}
    and ${conversationLabels.labelId} = ${labelId})`;
