import { and, eq, inArray, ne } from "drizzle-orm";
import { ruleInWords } from "#contract/corrections.ts";
import { StatedSelf } from "#contract/knowledge/self-presentation.ts";
import type { TwinVersion, VersionChange, VersionComparison } from "#contract/versions.ts";
import { fullNameOf } from "#server/accounts/auth/accounts.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { corrections } from "#server/platform/db/schema/public-replies.ts";
import { twins, twinVersions } from "#server/platform/db/schema/twins.ts";
import { notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { getOwnTwin } from "./twins.ts";
import {
  keepFirstVersion,
  keepVersion,
  type StyleFigures,
  type TwinSnapshot,
  type VersionRow,
  versionsOf,
} from "./versions.ts";

const LISTED = 50;

const TEXTS = [
  ["name", "Имя"],
  ["description", "Описание"],
  ["personality", "Личность"],
  ["communicationStyle", "Стиль общения"],
] as const;

const FIGURES: readonly [keyof StyleFigures, string, "count" | "share"][] = [
  ["messages", "Изучено сообщений", "count"],
  ["characters", "Обычная длина, знаков", "count"],
  ["lowerCaseStart", "С маленькой буквы", "share"],
  ["finalFullStop", "Точка в конце", "share"],
  ["exclamation", "Восклицательные знаки", "share"],
  ["brackets", "Скобки-улыбки", "share"],
  ["emoji", "Эмодзи", "share"],
  ["greetings", "Приветствие", "share"],
  ["familiar", "На «ты»", "share"],
];

/** Lists the newest first. @throws Problem 404 */
export async function listVersions(db: Database, caller: Caller, twinId: string): Promise<TwinVersion[]> {
  const rows = await asTenant(db, caller, async (tx) => {
    await getOwnTwin(tx, caller, twinId);
    return versionsOf(tx, twinId, LISTED + 1);
  });
  const names = await authorNames(db, rows);
  return rows.slice(0, LISTED).map((row, at) => toJson(row, rows[at + 1], names));
}

/** @param ids.with the version to compare with; absent: the twin's present state. @throws Problem 404 */
export function compareVersions(
  db: Database,
  caller: Caller,
  twinId: string,
  ids: { version: string; with: string | undefined },
): Promise<VersionComparison> {
  return asTenant(db, caller, async (tx) => {
    await getOwnTwin(tx, caller, twinId);
    const one = await getVersion(tx, twinId, ids.version);
    const other =
      ids.with === undefined ? (await versionsOf(tx, twinId, 1))[0]! : await getVersion(tx, twinId, ids.with);
    const [older, newer] = one.place <= other.place ? [one, other] : [other, one];
    return {
      older: older.id,
      newer: newer.id,
      settings: settingsChanged(older.snapshot, newer.snapshot),
      corrections: await correctionsChanged(tx, twinId, older.snapshot, newer.snapshot),
      style: figuresChanged(older.snapshot.style, newer.snapshot.style),
    };
  });
}

/**
 * Restores texts and corrections; documents, history and the measured style profile stay. The restored state is a new version, so that it
 * can be undone in the same way.
 * @throws Problem 404
 */
export async function restoreVersion(
  { db, jobs }: { db: Database; jobs: Jobs },
  caller: Caller,
  twinId: string,
  versionId: string,
): Promise<TwinVersion> {
  const [made, before] = await asTenant(db, caller, async (tx) => {
    const twin = await getOwnTwin(tx, caller, twinId, { lock: true });
    const { snapshot } = await getVersion(tx, twinId, versionId);
    await keepFirstVersion(tx, twin);
    const [newest] = await versionsOf(tx, twinId, 1);
    const { name, description, personality, communicationStyle, expertise } = snapshot;
    const { purpose = "business" as const, selfPresentation = null } = snapshot;
    const settings = { name, description, personality, communicationStyle, expertise, purpose, selfPresentation };
    const [restored] = await tx
      .update(twins)
      .set({ ...settings, updatedAt: new Date() })
      .where(eq(twins.id, twinId))
      .returning();
    await restoreCorrections(tx, twinId, snapshot);
    const { organizationId, userId } = caller;
    await jobs.enqueue(tx, "replay-corrections", { organizationId, userId, twinId });
    return [await keepVersion(tx, restored!, "restored", caller.userId), newest];
  });
  return toJson(made, before, await authorNames(db, [made]));
}

/** Corrections that were deleted together with a contact are not restored. */
async function restoreCorrections(tx: Tx, twinId: string, { corrections: held }: TwinSnapshot): Promise<void> {
  const all = and(eq(corrections.twinId, twinId), ne(corrections.state, "removed"));
  await tx.update(corrections).set({ state: "removed" }).where(all);
  for (const state of ["active", "off"] as const) {
    const ids = held.filter(({ active }) => active === (state === "active")).map(({ id }) => id);
    if (ids.length === 0) continue;
    await tx
      .update(corrections)
      .set({ state })
      .where(and(eq(corrections.twinId, twinId), inArray(corrections.id, ids)));
  }
}

async function getVersion(tx: Tx, twinId: string, id: string): Promise<VersionRow> {
  const [row] = await tx
    .select()
    .from(twinVersions)
    .where(and(eq(twinVersions.id, id), eq(twinVersions.twinId, twinId)));
  if (row === undefined) throw notFound("Такой версии нет", "version_not_found");
  return row as VersionRow;
}

function settingsChanged(older: TwinSnapshot, newer: TwinSnapshot): VersionChange[] {
  const texts = TEXTS.map(([field, name]) => ({ name, before: older[field], after: newer[field] }));
  const expertise = { name: "Область знаний", before: older.expertise.join(", "), after: newer.expertise.join(", ") };
  const purpose = { name: "Для чего двойник", before: purposeOf(older), after: purposeOf(newer) };
  const self = {
    name: "Кто вы",
    before: selfInWords(older.selfPresentation),
    after: selfInWords(newer.selfPresentation),
  };
  return [...texts, expertise, purpose, self].filter(({ before, after }) => before !== after);
}

const GENDERS = {
  female: "женский род",
  male: "мужской род",
  unstated: "род не указан",
  learnt: "род по вашим письмам",
} as const;

function selfInWords(stored: unknown): string {
  const { data } = StatedSelf.safeParse(stored);
  if (data === undefined) return "по вашим письмам";
  const words = [data.role, data.greeting, data.signature].filter((text) => text !== undefined && text !== "");
  return [GENDERS[data.gender], ...words.map((text) => `«${text}»`)].join(", ");
}

const purposeOf = ({ purpose }: TwinSnapshot): string => (purpose === "friends" ? "Для друзей" : "Бизнес");

async function correctionsChanged(
  tx: Tx,
  twinId: string,
  older: TwinSnapshot,
  newer: TwinSnapshot,
): Promise<VersionChange[]> {
  const before = new Map(older.corrections.map(({ id, active }) => [id, active]));
  const after = new Map(newer.corrections.map(({ id, active }) => [id, active]));
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter((id) => before.get(id) !== after.get(id));
  if (changed.length === 0) return [];
  const rows = await tx
    .select({
      id: corrections.id,
      kind: corrections.kind,
      question: corrections.question,
      text: corrections.text,
      rules: corrections.rules,
    })
    .from(corrections)
    .where(and(eq(corrections.twinId, twinId), inArray(corrections.id, changed)));
  return rows.map(({ id, kind, question, text, rules }) => ({
    name: kind === "style" ? rules.map(ruleInWords).join("; ") : `«${question}» → «${text}»`,
    before: stateInWords(before.get(id)),
    after: stateInWords(after.get(id)),
  }));
}

const stateInWords = (active: boolean | undefined) => (active === undefined ? null : active ? "включено" : "выключено");

function figuresChanged(older: StyleFigures | null, newer: StyleFigures | null): VersionChange[] {
  return FIGURES.map(([field, name, unit]) => ({
    name,
    before: figureInWords(older?.[field] ?? null, unit),
    after: figureInWords(newer?.[field] ?? null, unit),
  })).filter(({ before, after }) => before !== after);
}

function figureInWords(value: number | null, unit: "count" | "share"): string | null {
  if (value === null) return null;
  return unit === "share" ? `${Math.round(value * 100)}%` : Math.round(value).toLocaleString("ru-RU");
}

function changedIn(older: TwinSnapshot, newer: TwinSnapshot): string[] {
  const held = ({ corrections: all }: TwinSnapshot) => all.map(({ id, active }) => `${id} ${active}`).join();
  return [
    ...settingsChanged(older, newer).map(({ name }) => name),
    ...(held(older) === held(newer) ? [] : ["Исправления"]),
    ...(figuresChanged(older.style, newer.style).length > 0 ? ["Манера письма"] : []),
  ];
}

async function authorNames(db: Database, rows: readonly VersionRow[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.flatMap(({ authorId }) => authorId ?? []))];
  return new Map(await Promise.all(ids.map(async (id) => [id, await fullNameOf(db, id)] as const)));
}

function toJson(row: VersionRow, before: VersionRow | undefined, names: ReadonlyMap<string, string>): TwinVersion {
  const { id, cause, authorId, snapshot, createdAt, updatedAt } = row;
  return {
    id,
    cause,
    author: authorId === null ? null : names.get(authorId) || "Без имени",
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    changed: before === undefined ? [] : changedIn(before.snapshot, snapshot),
  };
}
