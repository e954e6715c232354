/** Fetches a file of an account over its own connection, from the data centre that stores it. */
import { setTimeout as pause } from "node:timers/promises";
import type { tl } from "@mtcute/core";
import type { FetchLimits } from "#server/inbox/channel-protocol/channel.ts";
import { MediaUnavailable, TOO_LARGE } from "#server/inbox/channel-protocol/fetch-media.ts";
import { type AccountFile, fileOf } from "./account-attachments.ts";
import type { BaseTelegramClient } from "./client.ts";
import { floodSeconds, isRpcFailure } from "./failures.ts";

/** Telegram requires parts of one size, which divides a megabyte. */
const PART_BYTES = 512 * 1024;
const CALL_MS = 30_000;
/** Highest number of a data centre: the client would search for any other endlessly. */
const MOST_CENTRES = 5;
const NO_FILE = "Telegram больше не отдаёт этот файл.";

/** @param at from `mediaField` @throws MediaUnavailable; temporary errors */
export async function fetchAccountFile(
  client: BaseTelegramClient,
  at: Record<string, unknown>,
  { maxBytes, signal }: FetchLimits,
): Promise<Buffer> {
  const file = await findFile(client, at, signal);
  if (file.bytes > maxBytes) throw new MediaUnavailable(TOO_LARGE);
  const parts: Uint8Array[] = [];
  for (let offset = 0; offset <= maxBytes; offset += PART_BYTES) {
    const part = await patiently(signal, () =>
      client.call(
        { _: "upload.getFile", location: file.location, offset, limit: PART_BYTES },
        { dcId: file.dcId, timeout: CALL_MS, abortSignal: signal },
      ),
    ).catch(rethrowLost);
    // Telegram redirects to foreign servers only clients that announce support for it.
    if (part._ !== "upload.file") throw new MediaUnavailable(NO_FILE);
    parts.push(part.bytes);
    if (part.bytes.length < PART_BYTES) break;
  }
  const whole = Buffer.concat(parts);
  if (whole.length > maxBytes) throw new MediaUnavailable(TOO_LARGE);
  return whole;
}

/** Finds the file by its message, which may be deleted or belong to another account. @throws MediaUnavailable */
async function findFile(
  client: BaseTelegramClient,
  { message, user }: Record<string, unknown>,
  signal: AbortSignal,
): Promise<AccountFile> {
  const id: tl.TypeInputMessage[] = [{ _: "inputMessageID", id: Number(message) }];
  const found = await patiently(signal, () =>
    client.call({ _: "messages.getMessages", id }, { timeout: CALL_MS, abortSignal: signal }),
  );
  const [one] = found._ === "messages.messagesNotModified" ? [] : found.messages;
  const file = one?._ === "message" && one.peerId._ === "peerUser" && one.peerId.userId === user && fileOf(one.media);
  if (!file || !(file.dcId >= 1 && file.dcId <= MOST_CENTRES)) throw new MediaUnavailable(NO_FILE);
  return file;
}

async function patiently<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const seconds = floodSeconds(error);
      if (seconds === null) throw error;
      await pause(seconds * 1000, undefined, { signal });
    }
  }
}

const LOST = /^(?:FILE_ID_INVALID|LOCATION_INVALID|LOCATION_NOT_AVAILABLE|FILE_REFERENCE_INVALID)$/;

function rethrowLost(error: unknown): never {
  throw isRpcFailure(error) && LOST.test(error.text) ? new MediaUnavailable(NO_FILE) : error;
}
