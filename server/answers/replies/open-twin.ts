import { sql } from "drizzle-orm";
import { type TwinRow, twinNotFound } from "#server/accounts/twins/twins.ts";
import { type ActiveCorrection, activeCorrectionsSql } from "#server/knowledge/corrections/active-corrections.ts";
import { type Stamps, stampsOf } from "#server/knowledge/search/stored-index.ts";
import { type LeftOut, type TwinIndex, twinIndexAt } from "#server/knowledge/search/twin-index.ts";
import type { Tenant, Tx } from "#server/platform/db/database.ts";
import { columnsOf, namedStatement } from "#server/platform/db/named-statement.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { memoize } from "#server/platform/text/memoize.ts";

/** Only the needed columns, because each further one makes every reply slower. */
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
  "purpose",
  "selfPresentation",
] as const;

export type AnsweringTwin = Pick<TwinRow, (typeof readForReply)[number] | "styleProfile">;

const twinWithStamps = namedStatement<
  { twinId: string; organizationId: string; learntFor: number[] },
  Omit<AnsweringTwin, "styleProfile"> & { style: string | null; stamps: Stamps; learnt: ActiveCorrection[] }
>(
  "twin",
  sql`select ${columnsOf(twins, readForReply)}, style_profile::text as style, ${stampsOf(sql`twins.id`)} as stamps, ${activeCorrectionsSql(sql`twins.id`)} as learnt from twins
    where id = ${sql.placeholder("twinId")} and org_id = ${sql.placeholder("organizationId")}`,
);

/** Memoised: the same text gives the same object, which is parsed and validated once. */
const styleProfileOf = memoize<unknown>(100, JSON.parse);

export interface OpenTwin {
  /** Read-only, because all callers that open the twin share its style profile. */
  twin: AnsweringTwin;
  index: TwinIndex;
  learnt: ActiveCorrection[];
}

/**
 * Opens the twin with its index and corrections in one query.
 * @param options.contactId the contact who gets the answer, if any
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
