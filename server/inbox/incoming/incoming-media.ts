/** Decides which recordings and pictures of a stored message are recognised, and enqueues the job. */
import type { MediaKind } from "#contract/models/media-readers.ts";
import type { Inbound, MediaText, PlatformMedia } from "#server/inbox/channel-protocol/channel.ts";
import { sanitizeText } from "#server/inbox/channel-protocol/sanitize-text.ts";
import { PLATFORM_CONFIDENCE } from "#server/models/media/confidence-threshold.ts";
import { cutAtWord } from "#server/models/media/cut-at-word.ts";
import { LONGEST_TEXT, MOST_PER_MESSAGE } from "#server/models/media/limits.ts";
import { readKinds } from "#server/models/media/reader-rows.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { ReceivingIntegration } from "./receiving-integration.ts";

/** Returns the kinds that are recognised for these messages; makes no query if they have no attachments. */
export async function kindsToRead(
  tx: Tx,
  orgId: string,
  inbounds: readonly Inbound[],
): Promise<ReadonlySet<MediaKind>> {
  return inbounds.some(({ media }) => media !== undefined) ? readKinds(tx, orgId) : new Set();
}

/**
 * Keeps only the recordings and pictures that will be recognised. Those of the owner and of bots are not; without a reader only their names
 * are stored. A transcript by the platform is available at once: beside the original, or as the message's text if no original is kept.
 */
export function keepReadableMedia(inbound: Inbound, kinds: ReadonlySet<MediaKind>): Inbound {
  const { media, words: _others, ...rest } = inbound;
  if (media === undefined) return rest;
  const isRead = !inbound.fromOwner && !inbound.automated;
  const read = media.filter(({ kind }) => isRead && kinds.has(kind)).slice(0, MOST_PER_MESSAGE);
  const unread = media.filter((each) => !read.includes(each)).map(heardIn);
  const text = [rest.text, ...unread].filter((part) => part !== "").join("\n");
  if (read.length === 0) return { ...rest, text };
  const words = read.flatMap((each, place): MediaText[] => {
    const heard = heardIn(each);
    return heard === "" ? [] : [{ place, text: heard, confidence: PLATFORM_CONFIDENCE }];
  });
  return { ...rest, text, media: read, ...(words.length === 0 ? {} : { words }) };
}

/** Returns "" when the platform has recognised nothing, or does not try. */
const heardIn = ({ heard = "" }: PlatformMedia): string => cutAtWord(sanitizeText(heard), LONGEST_TEXT);

/** Stores the rows to fetch and recognise, with their job, in the transaction that stores the events. */
export async function storeIncomingMedia(
  tx: Tx,
  jobs: Jobs,
  { id: integrationId, organizationId, userId }: ReceivingIntegration,
  stored: readonly { eventId: number; inbound: Inbound }[],
): Promise<void> {
  const rows = stored.flatMap(({ eventId, inbound }) =>
    (inbound.media ?? []).map((media, place) => ({
      ...{ orgId: organizationId, eventId, place, kind: media.kind, name: media.name, source: media.at },
      ...{ seconds: media.seconds ?? null, text: heardIn(media) },
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

/** Returns whether an attachment is still being fetched or recognised; until then the message is not answered. */
export const isBeingRead = ({ media, words }: Inbound): boolean => (media?.length ?? 0) > (words?.length ?? 0);
