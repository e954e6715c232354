/** Creates the zip of an owner's redacted pairs for training a model elsewhere, as a stream in bounded memory. */
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { ZipFile } from "yazl";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { getOwnTwin } from "#server/accounts/twins/twins.ts";
import { asTenant, type Database } from "#server/platform/db/database.ts";
import { conflict } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Log } from "#server/platform/log.ts";
import { archiveGuide } from "./archive-guide.ts";
import { countExchanges, exchangesOf, peopleOf, splitSessions } from "./exchanges.ts";
import { noLines, trainingLines } from "./training-lines.ts";

export interface PairsDeps {
  db: Database;
  log: Log;
}

/** @throws Problem 404; 409 when there are no pairs */
export async function downloadPairs(
  { db, log }: PairsDeps,
  caller: Caller,
  twinId: string,
  reply: FastifyReply,
): Promise<Readable> {
  const { organizationId, userId } = caller;
  const name = await asTenant(db, caller, async (tx) => {
    const twin = await getOwnTwin(tx, caller, twinId);
    const exchanges = await countExchanges(tx, twinId);
    if (exchanges === 0) {
      throw conflict(
        "no_training_pairs",
        "Пар пока нет: в загруженной переписке нет ваших ответов на чьи-то сообщения. Загрузите переписку",
      );
    }
    const detail = { exchanges };
    await auditInTenant(tx, { action: "voice-data-downloaded", userId, organizationId, subject: twinId, detail });
    return twin.name;
  });
  const place = { organizationId, userId, twinId };
  const people = await peopleOf(db, place);
  const parted = await splitSessions(db, place);
  const counts = { train: noLines(), test: noLines() };
  const zip = new ZipFile();
  const out = zip.outputStream as Readable;
  const sources = (["train", "test"] as const).map((part) => {
    const lines = trainingLines(exchangesOf(db, place, parted, part), people, counts[part]);
    return { name: `${part}.jsonl`, source: Readable.from(lines, { objectMode: false }) };
  });
  // The guide comes last: it states the counts, which are complete only after the other files are written.
  sources.push({ name: "README.txt", source: Readable.from(guide(), { objectMode: false }) });
  async function* guide() {
    yield archiveGuide(name, counts);
  }
  zip.on("error", (error) => out.destroy(error));
  for (const { name: file, source } of sources) {
    source.on("error", (error) => {
      log.error({ err: error, twinId }, "the download of training pairs broke off");
      out.destroy(error);
    });
    zip.addReadStream(source, file, { mtime: new Date() });
  }
  out.on("close", () => {
    for (const { source } of sources) source.destroy();
  });
  zip.end();
  void reply
    .type("application/zip")
    .header(
      "content-disposition",
      `attachment; filename="training-pairs-${new Date().toISOString().slice(0, 10)}.zip"`,
    );
  return out;
}
