/**
 * An organisation's own model, which its administrator connects. The key is encrypted, no call returns it, and it is sent only to its own
 * address.
 */
import { randomUUID } from "node:crypto";
import { eq, getTableColumns, sql } from "drizzle-orm";
import type * as z from "zod/mini";
import type { ExamAnswer } from "#contract/models/model-exam.ts";
import {
  EXAM_QUESTIONS,
  type RemoteCheck,
  type RemoteModel,
  type RemoteModelInput,
} from "#contract/models/remote-model.ts";
import { PRESETS } from "#contract/models/remote-model-presets.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { isLocalOnly } from "#server/accounts/organizations/model-rule.ts";
import { askGapsAgain } from "#server/accounts/twins/ask-gaps-again.ts";
import { learnSearchAnew } from "#server/accounts/twins/learn-search-anew.ts";
import { organizationDailyTokenLimit } from "#server/accounts/twins/model-days.ts";
import { usageDay } from "#server/accounts/twins/usage.ts";
import type { Config } from "#server/platform/config.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { remoteModels } from "#server/platform/db/schema/models.ts";
import { modelBudgets } from "#server/platform/db/schema/twins.ts";
import { invalid } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { isJobPending } from "#server/platform/jobs/job-state.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { PrivateAddress } from "#server/platform/network/public-address.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { checkRemoteModel } from "./check.ts";
import { paidCheck } from "./check-cost.ts";
import { requirePublicAddress } from "./connection.ts";
import { sentenceOf } from "./explain.ts";
import { isLocalModel } from "./local-hosts.ts";
import { isForeign } from "./model-address.ts";
import type { RemoteConnections } from "./remote-connections.ts";

export interface RemoteDeps {
  db: Database;
  vault: Vault;
  config: Pick<Config, "localModelHosts" | "onlyLocalModels" | "modelLimits">;
  remote: RemoteConnections;
}

/** Without the answers of the exam, which only its screen reads. */
const { examAnswers: _answers, ...settingColumns } = getTableColumns(remoteModels);
export type RemoteRow = Omit<typeof remoteModels.$inferSelect, "examAnswers">;
type Input = z.output<typeof RemoteModelInput>;

const MILLION = 1_000_000;
const micros = (value: number | undefined): number | null => (value === undefined ? null : Math.round(value * MILLION));
const whole = (value: number | null): number | null => (value === null ? null : value / MILLION);

const placeOf = (orgId: string) => ({ table: "remote_models", tenant: orgId, row: orgId, column: "api_key" });

/** @throws VaultError */
export const keyOf = (vault: Vault, { orgId, apiKey }: Pick<RemoteRow, "orgId" | "apiKey">): string | null =>
  apiKey === null ? null : vault.open(placeOf(orgId), apiKey);

export function readRemoteModel(deps: RemoteDeps, caller: Caller): Promise<RemoteModel> {
  return asTenant(deps.db, caller, (tx) => toJson(tx, deps, caller, caller.superAdmin));
}

/** @throws Problem 400 for a forbidden address and for a missing key */
export function setRemoteModel(
  deps: RemoteDeps & { jobs: Pick<Jobs, "enqueue"> },
  caller: Caller,
  input: Input,
): Promise<RemoteModel> {
  const { organizationId: orgId, userId } = caller;
  const runs = caller.superAdmin;
  return asTenant(deps.db, caller, async (tx) => {
    const known = await rowOf(tx, orgId, true);
    const { mayBePrivate, apiKey } = acceptOrTell(deps.vault, known, input, { runs, orgId });
    const row = {
      ...{ revision: randomUUID(), preset: input.preset, baseUrl: input.baseUrl, authUrl: input.authUrl ?? null },
      ...{ model: input.model, apiKey, scope: scopeOf(input), mayBePrivate, currency: input.currency },
      ...{ inputPrice: micros(input.inputPrice), outputPrice: micros(input.outputPrice) },
      contextTokens: input.contextTokens ?? null,
      ...{ enabled: input.enabled, setBy: userId, setAt: sql`now()` },
      ...examKept(known, input),
      ...searchKept(known, input),
    };
    await tx
      .insert(remoteModels)
      .values({ orgId, ...row })
      .onConflictDoUpdate({ target: remoteModels.orgId, set: row });
    const dailyMoney = micros(input.dailyMoney);
    // Amounts spent in the previous currency mean nothing in the new one.
    const spent = known !== null && known.currency !== input.currency ? { money: 0 } : {};
    await tx
      .insert(modelBudgets)
      .values({ orgId, dailyMoney })
      .onConflictDoUpdate({ target: modelBudgets.orgId, set: { dailyMoney, told: 0, ...spent } });
    await auditInTenant(tx, {
      ...{ action: "remote-model-set", userId, organizationId: orgId, subject: orgId },
      detail: { host: new URL(input.baseUrl).host, status: input.enabled ? "active" : "inactive" },
    });
    const isOther = known === null || !known.enabled || known.model !== input.model || known.baseUrl !== input.baseUrl;
    if (input.enabled && isOther) await askGapsAgain(tx, deps.jobs, caller);
    const searched = known?.enabled ? known.embeddingModel : null;
    if (searched !== (input.enabled ? row.embeddingModel : null)) await learnSearchAnew(tx, deps.jobs, caller);
    return toJson(tx, deps, caller, runs);
  });
}

/** Another server has other models for search. */
function searchKept(known: RemoteRow | null, { baseUrl, preset }: Input): Pick<RemoteRow, "embeddingModel"> {
  const isSame = known?.baseUrl === baseUrl && known.preset === preset;
  return { embeddingModel: isSame ? known.embeddingModel : null };
}

/** An exam, also one that is under way, holds for one model at one address. */
function examKept(
  known: RemoteRow | null,
  { baseUrl, model, enabled }: Input,
): Partial<Pick<typeof remoteModels.$inferSelect, "exam" | "examAnswers" | "examRun">> {
  if (known === null || known.baseUrl !== baseUrl || known.model !== model)
    return { exam: null, examAnswers: null, examRun: null };
  const { exam, examRun } = known;
  return { exam, examRun: enabled && examRun?.failure === null ? examRun : null };
}

/** Removes the model together with its key. */
export function removeRemoteModel(
  { db, jobs }: Pick<RemoteDeps, "db"> & { jobs: Pick<Jobs, "enqueue"> },
  caller: Caller,
): Promise<void> {
  const { organizationId: orgId, userId } = caller;
  return asTenant(db, caller, async (tx) => {
    const gone = await tx
      .delete(remoteModels)
      .where(eq(remoteModels.orgId, orgId))
      .returning({ baseUrl: remoteModels.baseUrl, embeddingModel: remoteModels.embeddingModel });
    if (gone.length === 0) return;
    if (gone[0]!.embeddingModel !== null) await learnSearchAnew(tx, jobs, caller);
    await tx.update(modelBudgets).set({ dailyMoney: null, money: 0 }).where(eq(modelBudgets.orgId, orgId));
    await auditInTenant(tx, {
      ...{ action: "remote-model-removed", userId, organizationId: orgId, subject: orgId },
      detail: { host: new URL(gone[0]!.baseUrl).host },
    });
  });
}

/** What the model answered in its last exam; empty before the first one. */
export async function examAnswersOf({ db }: Pick<RemoteDeps, "db">, caller: Caller): Promise<ExamAnswer[]> {
  const [row] = await asTenant(db, caller, (tx) =>
    tx
      .select({ answers: remoteModels.examAnswers })
      .from(remoteModels)
      .where(eq(remoteModels.orgId, caller.organizationId)),
  );
  return row?.answers ?? [];
}

/** Calls the model in the form, stored or not, and returns what is wrong. @throws Problem 400 when a key is missing */
export async function checkRemote(deps: RemoteDeps, caller: Caller, input: Input): Promise<RemoteCheck> {
  const { organizationId: orgId } = caller;
  const runs = caller.superAdmin;
  const known = await asTenant(deps.db, caller, (tx) => rowOf(tx, orgId, false));
  let accepted: Accepted;
  try {
    accepted = accept(deps.vault, known, input, { runs, orgId });
  } catch (error) {
    if (!(error instanceof PrivateNamed)) throw error;
    return { problem: "private", sentence: error.message, milliseconds: 0, tokens: null, contextTokens: null };
  }
  const { mayBePrivate, apiKey } = accepted;
  const { preset, baseUrl, model } = input;
  const send = deps.remote.open(caller, {
    ...{ preset, authUrl: input.authUrl ?? null, key: keyOf(deps.vault, { orgId, apiKey }) },
    ...{ scope: scopeOf(input), mayBePrivate },
  });
  return paidCheck(deps, caller, input, (tellCost) =>
    checkRemoteModel({ preset, baseUrl, model, send, foreign: !mayBePrivate || isForeign(baseUrl), tellCost }),
  );
}

const scopeOf = ({ preset, scope }: Input) => (preset === "gigachat" ? (scope ?? "GIGACHAT_API_PERS") : null);

interface Accepted {
  mayBePrivate: boolean;
  apiKey: Buffer | null;
}

/** The address is in a private network, which this person may not name. */
class PrivateNamed extends Error {
  readonly field: string;

  constructor(field: string, preset: Input["preset"]) {
    super(sentenceOf("private", preset, ""));
    this.field = field;
  }
}

function accept(vault: Vault, known: RemoteRow | null, input: Input, by: { runs: boolean; orgId: string }): Accepted {
  const same = known !== null && known.baseUrl === input.baseUrl && known.authUrl === (input.authUrl ?? null);
  // An administrator may change everything but the addresses of a model that the operator has set.
  const mayBePrivate = by.runs || (same && known.mayBePrivate);
  if (!mayBePrivate) requirePublicAddresses(input);
  const { keyOptional, keyLabel } = PRESETS[input.preset];
  if (input.apiKey !== undefined && input.apiKey !== "")
    return { mayBePrivate, apiKey: vault.seal(placeOf(by.orgId), input.apiKey) };
  const kept = input.apiKey === undefined && known !== null && known.apiKey !== null;
  // A key is a secret of its server, so it is not reused for another address.
  if (kept && same && known.preset === input.preset) return { mayBePrivate, apiKey: known.apiKey };
  if (keyOptional) return { mayBePrivate, apiKey: null };
  const sentence = kept
    ? "Адрес другой: введите ключ ещё раз, прежний на новый адрес не отправляется"
    : `Введите ${keyLabel === "API-ключ" ? "API-ключ" : "ключ"}`;
  throw invalid("key_needed", sentence, { fields: { apiKey: sentence } });
}

/** @throws Problem 400 that names the form's field */
function acceptOrTell(...given: Parameters<typeof accept>): Accepted {
  try {
    return accept(...given);
  } catch (error) {
    if (!(error instanceof PrivateNamed)) throw error;
    throw invalid("private_address", error.message, { fields: { [error.field]: error.message } });
  }
}

function requirePublicAddresses({ baseUrl, authUrl, preset }: Input): void {
  for (const [field, address] of [
    ["baseUrl", baseUrl],
    ["authUrl", authUrl],
  ] as const) {
    if (address === undefined) continue;
    try {
      requirePublicAddress(new URL(address));
    } catch (error) {
      if (!(error instanceof PrivateAddress)) throw error;
      throw new PrivateNamed(field, preset);
    }
  }
}

export async function rowOf(tx: Tx, orgId: string, lock: boolean): Promise<RemoteRow | null> {
  const query = tx.select(settingColumns).from(remoteModels).where(eq(remoteModels.orgId, orgId));
  const [row] = await (lock ? query.for("update") : query);
  return row ?? null;
}

/** Whose rule forbids the model; null: it may be asked. */
export async function heldBy(
  tx: Tx,
  { localModelHosts, onlyLocalModels }: RemoteDeps["config"],
  { orgId, baseUrl }: Pick<RemoteRow, "orgId" | "baseUrl">,
): Promise<RemoteModel["held"]> {
  if (isLocalModel(baseUrl, localModelHosts)) return null;
  if (onlyLocalModels) return "installation";
  return (await isLocalOnly(tx, orgId)) ? "organization" : null;
}

/** Whether the exam is under way; a run whose job is gone was interrupted. */
export const isExamining = async (tx: Tx, { orgId, examRun }: RemoteRow): Promise<boolean> =>
  examRun !== null && examRun.failure === null && (await isJobPending(tx, "take-exam", orgId));

async function toJson(tx: Tx, { config }: RemoteDeps, tenant: Tenant, mayBePrivate: boolean): Promise<RemoteModel> {
  const { organizationId: orgId } = tenant;
  const row = await rowOf(tx, orgId, false);
  const [budget] = await tx.select().from(modelBudgets).where(eq(modelBudgets.orgId, orgId));
  const today = budget?.day === usageDay(new Date());
  const examining = row !== null && (await isExamining(tx, row));
  const priced = row !== null && row.inputPrice !== null && row.outputPrice !== null;
  return {
    settings: row && {
      ...{ preset: row.preset, baseUrl: row.baseUrl, authUrl: row.authUrl, model: row.model },
      ...{ hasKey: row.apiKey !== null, scope: row.scope, currency: row.currency, enabled: row.enabled },
      ...{ inputPrice: whole(row.inputPrice), outputPrice: whole(row.outputPrice), contextTokens: row.contextTokens },
    },
    exam: row?.exam ?? null,
    examining: examining ? { asked: row.examRun!.asked, of: EXAM_QUESTIONS } : null,
    examFailure: examining || row?.examRun == null ? null : (row.examRun.failure ?? "internal"),
    held: row && (await heldBy(tx, config, row)),
    mayBePrivate,
    today: {
      tokens: today ? budget.tokens : 0,
      tokenLimit: organizationDailyTokenLimit(config.modelLimits, budget?.dailyTokens ?? null),
      money: priced ? whole(today ? budget.money : 0) : null,
      moneyLimit: whole(budget?.dailyMoney ?? null),
    },
  };
}
