/** Reads what a reply needs of its twin before it searches: the row, its index and its corrections, in one query. */
import { sql } from "drizzle-orm";
import { type TwinRow, twinNotFound } from "#server/accounts/twins/twins.ts";
import { type ActiveCorrection, activeCorrectionsSql } from "#server/knowledge/corrections/active-corrections.ts";
import { type Stamps, stampsOf } from "#server/knowledge/search/stored-index.ts";
import { type LeftOut, type TwinIndex, twinIndexAt } from "#server/knowledge/search/twin-index.ts";
import type { Tenant, Tx } from "#server/platform/db/database.ts";
import { columnsOf, namedStatement } from "#server/platform/db/named-statement.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { memoize } from "#server/platform/text/memoize.ts";

/** Each further column would make every reply slower. */
const readForReply = [
  "id",
  "orgId",
  "ownerId",
  "isActive",
  "name",
  "publicName",
  "description",
  "personality",
  "communicationStyle",
  "expertise",
] as const;

/** What a reply reads of its twin. */
export type AnsweringTwin = Pick<TwinRow, (typeof readForReply)[number] | "styleProfile">;

const twinWithStamps = namedStatement<
  { twinId: string; organizationId: string; learntFor: number[] },
  Omit<AnsweringTwin, "styleProfile"> & { style: string | null; stamps: Stamps; learnt: ActiveCorrection[] }
>(
  "twin",
  sql`select ${columnsOf(twins, readForReply)}, style_profile::text as style, ${stampsOf(sql`twins.id`)} as stamps, ${activeCorrectionsSql(sql`twins.id`)} as learnt from twins
    where id = ${sql.placeholder("twinId")} and org_id = ${sql.placeholder("organizationId")}`,
);

/** The same text gives the same object, so it is parsed and checked once. */
const styleProfileOf = memoize<unknown>(100, JSON.parse);

export interface OpenTwin {
  /** Its style profile is shared by all callers that open the twin: read only. */
  twin: AnsweringTwin;
  index: TwinIndex;
  /** Corrections as `readActiveCorrections` returns them. */
  learnt: ActiveCorrection[];
}

/**
 * The twin with its index and its corrections, in one query.
 * @param options.contactId the contact who is answered, if any
 * @throws Problem 404
 */
export async function openTwin(
  tx: Tx,
  { organizationId }: Tenant,
  twinId: string,
  { contactId = null, leftOut }: { contactId?: number | null; leftOut?: LeftOut } = {},
): Promise<OpenTwin> {
  const learntFor = contactId === null ? [0] : [0, contactId];
  const [row] = await twinWithStamps(tx, { twinId, organizationId, learntFor });
  if (row === undefined) throw twinNotFound();
  const { stamps, learnt, style, ...rest } = row;
  const twin = { ...rest, styleProfile: style === null ? null : styleProfileOf(style) };
  return { twin, index: twinIndexAt(tx, twinId, stamps, leftOut), learnt };
}
