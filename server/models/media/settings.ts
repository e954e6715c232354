/** Readers that an administrator has chosen. Keys are encrypted, no call returns them, and each is sent only to its own address. */
import { sql } from "drizzle-orm";
import type * as z from "zod/mini";
import {
  MEDIA_DEFAULTS,
  MEDIA_KINDS,
  type MediaCheck,
  type MediaKind,
  type MediaPreset,
  type MediaReader,
  type MediaReaderInput,
  type MediaReaders,
} from "#contract/models/media-readers.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { isLocalOnly } from "#server/accounts/organizations/model-rule.ts";
import { usageDay } from "#server/accounts/twins/usage.ts";
import { requirePublicAddress } from "#server/models/remote/connection.ts";
import { isLocalModel } from "#server/models/remote/local-hosts.ts";
import type { RemoteConnections } from "#server/models/remote/remote-connections.ts";
import type { Config } from "#server/platform/config.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { mediaReaders } from "#server/platform/db/schema/models.ts";
import { conflict, invalid } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { PrivateAddress } from "#server/platform/network/public-address.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { checkEndpoint } from "./endpoint/check.ts";
import { accessPreset, sentenceOfEndpoint } from "./endpoint/trouble.ts";
import type { LocalMedia } from "./local-media.ts";
import { keyOf, longestOf, type ReaderRow, readerOf, sealKey } from "./reader-rows.ts";

export interface ReadersDeps {
  db: Database;
  vault: Vault;
  config: Pick<Config, "localModelHosts" | "onlyLocalModels">;
  remote: RemoteConnections;
  localMedia: LocalMedia;
}

type Input = z.output<typeof MediaReaderInput>;

export async function listReaders(deps: ReadersDeps, caller: Caller): Promise<MediaReaders> {
  const readers = await asTenant(deps.db, caller, async (tx) => {
    const all: MediaReader[] = [];
    for (const kind of MEDIA_KINDS) all.push(await toJson(tx, deps, caller, kind));
    return all;
  });
  return { readers, mayBePrivate: caller.superAdmin };
}

/**
 * @throws Problem 400 for a forbidden address, a missing key, and a service that does not read this kind; 409 when this machine cannot do
 *   it yet
 */
export async function setReader(
  deps: ReadersDeps,
  caller: Caller,
  kind: MediaKind,
  input: Input,
): Promise<MediaReader> {
  const { organizationId: orgId, userId } = caller;
  const runs = caller.superAdmin;
  if (input.mode === "local" && deps.localMedia.recognizer(kind) === null)
    throw conflict("media_not_installed", NOT_INSTALLED[kind]);
  return asTenant(deps.db, caller, async (tx) => {
    const known = await readerOf(tx, orgId, kind, true);
    const endpoint = input.mode === "endpoint" ? acceptOrTell(deps.vault, known, input, { runs, orgId, kind }) : {};
    const row = {
      ...{
        mode: input.mode,
        dailyLimit: input.dailyLimit,
        keptDays: input.keptDays ?? null,
        setBy: userId,
        setAt: sql`now()`,
      },
      longestSeconds: kind === "speech" ? (input.longestSeconds ?? MEDIA_DEFAULTS.speech.longestSeconds) : null,
      ...endpoint,
    };
    await tx
      .insert(mediaReaders)
      .values({ orgId, kind, ...row })
      .onConflictDoUpdate({ target: [mediaReaders.orgId, mediaReaders.kind], set: row });
    await auditInTenant(tx, {
      ...{ action: "media-reader-set", userId, organizationId: orgId, subject: orgId },
      detail: { kind, mode: input.mode, ...(input.mode === "endpoint" ? { host: new URL(input.baseUrl!).host } : {}) },
    });
    return toJson(tx, deps, caller, kind);
  });
}

const NOT_INSTALLED: Record<MediaKind, string> = {
  speech: "На этом сервере нет модели для речи: её загружает на этой же странице тот, кто управляет установкой",
  picture: "На этом сервере не установлено чтение картинок",
};

/** Sends a sample to the service in the form, stored or not, and returns what is wrong. @throws Problem 400 when a key is missing */
export async function checkReader(
  deps: ReadersDeps,
  caller: Caller,
  kind: MediaKind,
  input: Input,
): Promise<MediaCheck> {
  const { organizationId: orgId } = caller;
  const runs = caller.superAdmin;
  const known = await asTenant(deps.db, caller, (tx) => readerOf(tx, orgId, kind));
  let accepted: Accepted;
  try {
    accepted = accept(deps.vault, known, input, { runs, orgId, kind });
  } catch (error) {
    if (!(error instanceof PrivateNamed)) throw error;
    return { problem: "private", sentence: error.message, milliseconds: 0 };
  }
  return checkEndpoint(openEndpoint(deps, caller, { ...accepted, orgId, kind }));
}

/** Opens the service of a row, with its key and under the organisation's rules. */
export function openEndpoint(
  { vault, remote }: Pick<ReadersDeps, "vault" | "remote">,
  tenant: Tenant,
  row: Pick<ReaderRow, "orgId" | "kind" | "preset" | "baseUrl" | "model" | "apiKey" | "mayBePrivate">,
) {
  const { kind, mayBePrivate, model } = row;
  const [preset, baseUrl] = [row.preset!, row.baseUrl!];
  const access = { preset: accessPreset(preset), authUrl: null, key: keyOf(vault, row), scope: null, mayBePrivate };
  return { kind, preset, baseUrl, model, send: remote.open(tenant, access) };
}

interface Accepted {
  preset: MediaPreset;
  baseUrl: string;
  model: string | null;
  mayBePrivate: boolean;
  apiKey: Buffer | null;
}

/** The address is in a private network, which this person may not name. */
class PrivateNamed extends Error {}

function accept(
  vault: Vault,
  known: ReaderRow | null,
  input: Input,
  { runs, orgId, kind }: { runs: boolean; orgId: string; kind: MediaKind },
): Accepted {
  const { preset, baseUrl, apiKey } = input;
  if (preset === undefined || baseUrl === undefined) {
    const sentence = "Выберите сервис и введите его адрес";
    throw invalid("media_endpoint_needed", sentence, { fields: { baseUrl: sentence } });
  }
  if (preset === "yandex" && kind === "picture") {
    const sentence = "Yandex SpeechKit распознаёт только речь: для картинок выберите другой сервис";
    throw invalid("media_endpoint_needed", sentence, { fields: { preset: sentence } });
  }
  const same = known !== null && known.baseUrl === baseUrl && known.preset === preset;
  // An administrator may change everything but the address of a reader that the operator has set.
  const mayBePrivate = runs || (same && known.mayBePrivate);
  if (!mayBePrivate) requirePublic(baseUrl, preset);
  const common = { preset, baseUrl, model: input.model || null, mayBePrivate };
  if (apiKey !== undefined && apiKey !== "") return { ...common, apiKey: sealKey(vault, orgId, kind, apiKey) };
  const kept = apiKey === undefined && known !== null && known.apiKey !== null;
  // A key is its server's secret: it does not follow to another address.
  if (kept && same) return { ...common, apiKey: known.apiKey };
  if (!kept && preset === "openai") return { ...common, apiKey: null };
  const sentence = kept
    ? "Адрес другой: введите ключ ещё раз, прежний на новый адрес не отправляется"
    : "Введите API-ключ";
  throw invalid("key_needed", sentence, { fields: { apiKey: sentence } });
}

/** @throws Problem 400 that names the form's field */
function acceptOrTell(...given: Parameters<typeof accept>): Accepted {
  try {
    return accept(...given);
  } catch (error) {
    if (!(error instanceof PrivateNamed)) throw error;
    throw invalid("private_address", error.message, { fields: { baseUrl: error.message } });
  }
}

function requirePublic(baseUrl: string, preset: MediaPreset): void {
  try {
    requirePublicAddress(new URL(baseUrl));
  } catch (error) {
    if (!(error instanceof PrivateAddress)) throw error;
    throw new PrivateNamed(sentenceOfEndpoint("private", preset, baseUrl));
  }
}

async function toJson(
  tx: Tx,
  deps: ReadersDeps,
  { organizationId: orgId }: Tenant,
  kind: MediaKind,
): Promise<MediaReader> {
  const { config, localMedia } = deps;
  const row = await readerOf(tx, orgId, kind);
  const { baseUrl = null, preset = null } = row ?? {};
  const foreign = baseUrl !== null && !isLocalModel(baseUrl, config.localModelHosts);
  const held = !foreign
    ? null
    : config.onlyLocalModels
      ? "installation"
      : (await isLocalOnly(tx, orgId))
        ? "organization"
        : null;
  const used = row !== null && row.day === usageDay(new Date()) ? row.used : 0;
  return {
    kind,
    mode: row?.mode ?? "off",
    localReady: localMedia.recognizer(kind) !== null,
    endpoint:
      baseUrl === null || preset === null ? null : { preset, baseUrl, model: row!.model, hasKey: row!.apiKey !== null },
    held,
    longestSeconds: kind === "speech" ? longestOf(row ?? { longestSeconds: null }) : null,
    dailyLimit: row?.dailyLimit ?? MEDIA_DEFAULTS[kind].dailyLimit,
    keptDays: row?.keptDays ?? null,
    usedToday: kind === "speech" ? Math.ceil(used / 60) : used,
  };
}
