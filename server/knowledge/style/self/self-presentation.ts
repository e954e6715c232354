/** Who the owner is: what his letters and public texts show, and what he states instead. Only he reads it, for it quotes his letters. */
import { and, asc, eq, or, sql } from "drizzle-orm";
import { ACTS, type SelfPresentation, StatedSelf } from "#contract/knowledge/self-presentation.ts";
import { OwnersStyle } from "#contract/quality.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { getOwnTwin, type TwinRow } from "#server/accounts/twins/twins.ts";
import { keepFirstVersion, keepVersion } from "#server/accounts/twins/versions.ts";
import { claimsToBeHuman } from "#server/knowledge/language/human-claim.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { chunks } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { unprocessable } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { type Known, knownGender, knownGreeting, knownLanguages, knownSignature } from "./known-self.ts";
import { statedRole } from "./stated-role.ts";
import { NOTHING_STATED } from "./visible-self.ts";

/** Chunks in which the owner may introduce himself. */
const INTRODUCTIONS = 20;
const MIN_ACTS = 3;
const MIN_PHRASE_USES = 2;
const PHRASES = 3;

/** @throws Problem 404 */
export function readSelfPresentation(db: Database, caller: Caller, twinId: string): Promise<SelfPresentation> {
  return asTenant(db, caller, async (tx) => toJson(tx, await getOwnTwin(tx, caller, twinId)));
}

/** Replaces what the owner states of himself. Everybody whom the twin answers may meet it. @throws Problem 404; 422 */
export function stateSelf(db: Database, caller: Caller, twinId: string, stated: StatedSelf): Promise<SelfPresentation> {
  return asTenant(db, caller, async (tx) => {
    const before = await getOwnTwin(tx, caller, twinId, { lock: true });
    for (const text of [stated.greeting ?? "", stated.signature ?? "", `Я ${stated.role ?? ""}`]) {
      if (claimsToBeHuman(text)) {
        throw unprocessable("human_claim", "Двойник не может говорить, что он живой человек: уберите это");
      }
    }
    await keepFirstVersion(tx, before);
    const { gender, ...texts } = stated;
    const statesNothing = gender === "learnt" && Object.values(texts).every((text) => text === undefined);
    const [row] = await tx
      .update(twins)
      .set({ selfPresentation: statesNothing ? null : stated, updatedAt: new Date() })
      .where(eq(twins.id, twinId))
      .returning();
    await keepVersion(tx, row!, "settings", caller.userId);
    await auditInTenant(tx, {
      action: "self-presentation-changed",
      userId: caller.userId,
      organizationId: caller.organizationId,
      subject: twinId,
    });
    return toJson(tx, row!);
  });
}

async function toJson(tx: Tx, twin: TwinRow): Promise<SelfPresentation> {
  const parsed = OwnersStyle.safeParse(twin.styleProfile);
  const style = parsed.success ? parsed.data : null;
  const stated = StatedSelf.safeParse(twin.selfPresentation);
  return {
    messages: style?.messages ?? 0,
    learnt: {
      gender: style && learntGender(style),
      role: await publicRole(tx, twin),
      greeting: style && inWords(knownGreeting(style)),
      signature: style && inWords(knownSignature(style)),
      languages: style === null ? [] : knownLanguages(style).map(({ value }) => value),
      acts: style === null ? [] : frequentActs(style),
    },
    stated: stated.success ? stated.data : NOTHING_STATED,
  };
}

const inWords = (known: Known<string> | null) =>
  known && { text: known.value, count: known.count, isShared: known.isShared };

function learntGender(style: OwnersStyle): SelfPresentation["learnt"]["gender"] {
  const known = knownGender(style);
  const { signs = [], examples } = style.self?.gender ?? {};
  return (
    known && {
      ...known,
      of: signs.reduce((sum, { count }) => sum + count, 0),
      examples: examples?.[known.value] ?? [],
    }
  );
}

function frequentActs({ self, greetings }: OwnersStyle): SelfPresentation["learnt"]["acts"] {
  if (self === undefined) return [];
  const greeted = greetings.top.reduce((sum, { count }) => sum + count, 0);
  const acts = { opening: { ...greetings, count: greeted }, ...self.acts };
  return ACTS.map((act) => ({ act, ...acts[act] }))
    .filter(({ count }) => count >= MIN_ACTS)
    .map(({ act, count, top, examples }) => ({
      ...{ act, count, examples },
      phrases: top
        .filter((phrase) => phrase.count >= MIN_PHRASE_USES)
        .slice(0, PHRASES)
        .map(({ text }) => text),
    }));
}

/** A letter to one contact is that contact's secret, so what the owner calls himself there is not read. */
async function publicRole(tx: Tx, { id, description }: TwinRow): Promise<SelfPresentation["learnt"]["role"]> {
  const described = statedRole(description);
  if (described !== null) return { text: described, source: "description" };
  const introduces = or(
    sql`${chunks.text} ~* '(^|[.!?\n] ?)я [—–-]'`,
    sql`${chunks.text} ~* 'меня зовут [^.,]{2,20}, я '`,
  );
  const rows = await tx
    .select({ text: chunks.text })
    .from(chunks)
    .where(and(eq(chunks.twinId, id), introduces))
    .orderBy(asc(chunks.id))
    .limit(INTRODUCTIONS);
  const text = rows.map((row) => statedRole(row.text)).find((role) => role !== null);
  return text === undefined || text === null ? null : { text, source: "document" };
}
