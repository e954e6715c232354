/** Creates the zip for training a twin's voice elsewhere, as a stream in bounded memory. */
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { ZipFile } from "yazl";
import { MIN_EXCHANGES } from "#contract/models/voice.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { getOwnTwin } from "#server/accounts/twins/twins.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { conflict } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { VoiceDeps } from "../voices.ts";
import { countExchanges, exchangesOf, peopleOf, splitSessions } from "./exchanges.ts";
import { noLines, trainingLines } from "./training-lines.ts";
import { trainingScript } from "./training-script.ts";
import { voiceGuide } from "./voice-guide.ts";

/** @throws Problem 404; 409 when there are too few exchanges */
export async function voiceData(
  deps: VoiceDeps,
  caller: Caller,
  twinId: string,
  reply: FastifyReply,
): Promise<Readable> {
  const { db, log } = deps;
  const { organizationId, userId } = caller;
  const name = await asTenant(db, caller, async (tx) => {
    const twin = await getOwnTwin(tx, caller, twinId);
    const exchanges = await countExchanges(tx, twinId);
    if (exchanges < MIN_EXCHANGES) {
      throw conflict(
        "too_few_exchanges",
        `Чтобы обучить почерк, нужно хотя бы ${MIN_EXCHANGES} ваших ответов на сообщения, а есть ${exchanges}. Загрузите ещё переписку`,
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
    return { name: `${part}.jsonl`, source: Readable.from(lines, { objectMode: false }) as Readable };
  });
  for (const { name: file, path } of await trainingScript()) {
    sources.push({ name: file, source: createReadStream(path) });
  }
  // The guide comes last: it states the counts, which are complete only after the other files are written.
  sources.push({ name: "README.txt", source: Readable.from(guide(), { objectMode: false }) });
  async function* guide() {
    yield voiceGuide(name, counts);
  }
  zip.on("error", (error) => out.destroy(error));
  for (const { name: file, source } of sources) {
    source.on("error", (error) => {
      log.error({ err: error, twinId }, "the data of a voice broke off");
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
    .header("content-disposition", `attachment; filename="voice-data-${new Date().toISOString().slice(0, 10)}.zip"`);
  return out;
}
