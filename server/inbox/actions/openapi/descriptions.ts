/** An OpenAPI description becomes a list of calls; the chosen ones become tools that are off. */
import type * as z from "zod/mini";
import {
  type ChosenTools,
  DESCRIPTION_BYTES_LIMIT,
  DESCRIPTION_CALLS_LIMIT,
  DESCRIPTION_UPLOAD_LIMIT,
  type DescriptionInput,
  type ToolDescription,
} from "#contract/actions/tool-import.ts";
import type { Tool } from "#contract/actions/tools.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { fetchOwnersFile, type OwnersFile } from "#server/answers/tools/fetch-owners-file.ts";
import { requirePublicAddress } from "#server/answers/tools/refused-input.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { type Problem, unprocessable } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { enteredProxy } from "#server/platform/network/entered-proxy.ts";
import { proxyFailureOf } from "#server/platform/network/proxy-failure.ts";
import { ReadingLimitExceeded, ReadingThreads } from "#server/platform/untrusted-text/threads.ts";
import type { ShownToolDeps, ToolDeps } from "../tool-deps.ts";
import { createTools } from "../tools.ts";
import type { DescriptionTask, ReadDescription } from "./read-description.ts";

const threads = new ReadingThreads<DescriptionTask, ReadDescription>({
  file: new URL("read-description.ts", import.meta.url),
  // A megabyte of YAML takes one to four seconds.
  withinMs: 20_000,
});

/** @throws Problem 404, 403, 400; 422 for what is no description */
export async function readToolDescription(
  deps: ToolDeps,
  caller: Caller,
  { twinId, text, url, proxy: entered }: z.output<typeof DescriptionInput>,
): Promise<ToolDescription> {
  await asTenant(deps.db, caller, (tx) => getChangeableTwin(tx, caller, twinId));
  const { loopbackAddresses: loopback } = deps.config;
  const address = url === undefined ? null : requirePublicAddress(url, loopback);
  if (text !== undefined && Buffer.byteLength(text) > DESCRIPTION_UPLOAD_LIMIT)
    throw unreadable("Описание больше 700 КБ");
  const written =
    address === null ? text! : await fetched(address, { loopback, proxy: await enteredProxy(caller, entered) });
  const task = { text: written, base: address?.href ?? null, most: DESCRIPTION_CALLS_LIMIT };
  const read = await threads.read(caller.organizationId, task).catch((error: unknown) => {
    if (!(error instanceof ReadingLimitExceeded)) throw error;
    throw unreadable("Описание слишком запутанное: оставьте в нём нужное", error);
  });
  if ("refusal" in read) throw unreadable(read.refusal);
  return read;
}

async function fetched(url: URL, way: Pick<OwnersFile, "loopback" | "proxy">): Promise<string> {
  const bytes = await fetchOwnersFile(url, {
    ...{ accept: "application/json, application/yaml, */*", maxBytes: DESCRIPTION_BYTES_LIMIT, unreadable, ...way },
    words: {
      tooLong: "Описание больше 1 МБ",
      silent: "Адрес описания не отвечает",
      failed: (status) => `Адрес описания ответил ошибкой ${status}`,
    },
  });
  return bytes.toString();
}

const unreadable = (words: string, cause?: unknown): Problem =>
  unprocessable("tool_description_unreadable", words, {
    cause,
    ...(proxyFailureOf(cause) && { fields: { proxy: words } }),
  });

/** The chosen calls of a description as tools; nothing is called before its owner switches it on. @throws like `createTools` */
export const createChosenTools = (
  deps: ShownToolDeps,
  caller: Caller,
  { twinId, tools }: z.output<typeof ChosenTools>,
): Promise<Tool[]> => {
  const off = tools.map((tool) => ({ ...tool, enabled: false }));
  return createTools(deps, caller, twinId, off);
};
