/** Recordings and pictures of a message that has just been stored: which of them are read here, and the job that does it. */
import type { MediaKind } from "#contract/models/media-readers.ts";
import type { Tx } from "#server/db/database.ts";
import { mediaFiles } from "#server/db/schema.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import { MOST_PER_MESSAGE } from "#server/media/limits.ts";
import { readKinds } from "#server/media/readers/reader-rows.ts";
import type { Inbound } from "../../protocol/channel.ts";
import type { ReceivingIntegration } from "./receiving-integration.ts";

/** The kinds that are read for these messages; nothing is asked where none of them has any. */
export async function kindsToRead(
  tx: Tx,
  orgId: string,
  inbounds: readonly Inbound[],
): Promise<ReadonlySet<MediaKind>> {
  return inbounds.some(({ media }) => media !== undefined) ? readKinds(tx, orgId) : new Set();
}

/**
 * The message with those of its recordings and pictures that are read: of the owner and of programs none are, and where nobody reads, the
 * message is stored as if there were no more to it than its name.
 */
export function withReadable(inbound: Inbound, kinds: ReadonlySet<MediaKind>): Inbound {
  const { media, words: _others, ...rest } = inbound;
  if (media === undefined || inbound.fromOwner || inbound.automated) return rest;
  const read = media.filter(({ kind }) => kinds.has(kind)).slice(0, MOST_PER_MESSAGE);
  return read.length === 0 ? rest : { ...rest, media: read };
}

/** Writes down what is to be fetched and read, with its job, in the transaction that stores the events. */
export async function keepMedia(
  tx: Tx,
  jobs: Jobs,
  { id: integrationId, organizationId, userId }: ReceivingIntegration,
  stored: readonly { eventId: number; inbound: Inbound }[],
): Promise<void> {
  const rows = stored.flatMap(({ eventId, inbound }) =>
    (inbound.media ?? []).map(({ kind, name, at, seconds }, place) => ({
      ...{ orgId: organizationId, eventId, place, kind, name, source: at, seconds: seconds ?? null },
    })),
  );
  if (rows.length === 0) return;
  const kept = await tx.insert(mediaFiles).values(rows).returning({ id: mediaFiles.id });
  await jobs.enqueueAll(
    tx,
    "read-media",
    kept.map(({ id }) => ({ data: { organizationId, userId, integrationId, mediaId: id } })),
  );
}

/** Whether something of the message is still being fetched or read: it is not answered before. */
export const isBeingRead = ({ media, words }: Inbound): boolean => (media?.length ?? 0) > (words?.length ?? 0);
