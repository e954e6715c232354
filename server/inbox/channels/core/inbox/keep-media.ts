/** Recordings and pictures of a message that has just been stored: which of them are read here, and the job that does it. */
import type { MediaKind } from "#contract/models/media-readers.ts";
import { PLATFORM_CONFIDENCE } from "#server/models/media/confidence-threshold.ts";
import { cutAtWord } from "#server/models/media/cut-at-word.ts";
import { LONGEST_TEXT, MOST_PER_MESSAGE } from "#server/models/media/limits.ts";
import { readKinds } from "#server/models/media/readers/reader-rows.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Attached, AttachedWords, Inbound } from "../../protocol/channel.ts";
import { sanitizeText } from "../../protocol/sanitize-text.ts";
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
 * The message with only those recordings and pictures that will be read. Those of the owner and of bots are not, and without a reader the
 * message is stored with their names only. A transcript by the platform itself is available at once: beside the original, and as the
 * message's text where no original is kept.
 */
export function keepReadableMedia(inbound: Inbound, kinds: ReadonlySet<MediaKind>): Inbound {
  const { media, words: _others, ...rest } = inbound;
  if (media === undefined) return rest;
  const isRead = !inbound.fromOwner && !inbound.automated;
  const read = media.filter(({ kind }) => isRead && kinds.has(kind)).slice(0, MOST_PER_MESSAGE);
  const unread = media.filter((each) => !read.includes(each)).map(heardIn);
  const text = [rest.text, ...unread].filter((part) => part !== "").join("\n");
  if (read.length === 0) return { ...rest, text };
  const words = read.flatMap((each, place): AttachedWords[] => {
    const heard = heardIn(each);
    return heard === "" ? [] : [{ place, text: heard, confidence: PLATFORM_CONFIDENCE }];
  });
  return { ...rest, text, media: read, ...(words.length === 0 ? {} : { words }) };
}

/** "" where the platform has understood nothing, or does not try. */
const heardIn = ({ heard = "" }: Attached): string => cutAtWord(sanitizeText(heard), LONGEST_TEXT);

/** Writes down what is to be fetched and read, with its job, in the transaction that stores the events. */
export async function keepMedia(
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

/** Whether something of the message is still being fetched or read: it is not answered before. */
export const isBeingRead = ({ media, words }: Inbound): boolean => (media?.length ?? 0) > (words?.length ?? 0);
