/** What people and programs do to a running server at once, one act after another and some of it broken off in the middle. */
import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ImportState } from "#contract/knowledge/imports.ts";
import { telegramSignIn } from "#server/test/sign-in/telegram-sign-in.ts";
import { EXPORT_OWNER, writeTelegramExport } from "../material/telegram-export.ts";
import { type Caller, callerOf, type Heard } from "./caller.ts";

/** Whose things the load calls: one organisation each. */
interface Actor {
  call: Caller;
  twinId: string;
  /** A key of the twin's, for programs. */
  key: string;
  /** The twin's chat on a site. */
  widgetId: string;
  organizationId: string;
}

const QUESTIONS = [
  "Сколько стоит доставка?",
  "Когда можно вернуть товар?",
  "Привет, как дела?",
  "Где посмотреть гарантию?",
  "Что с оплатой частями?",
  "Завтра созвонимся после обеда?",
  "Как оформить возврат, если чек потерян?",
];
const WORDS = ["доставка", "возврат", "оплата", "lunch", "созвон", "гарантия", "чек"];
const ABOUT = {
  description: "Отвечает покупателям магазина",
  personality: "Внимательная, спокойная, шутит редко",
  communicationStyle: "Коротко и по делу",
  knowledgeArea: "Доставка и возврат",
};
const document = () =>
  `Доставка ${randomUUID()} стоит 350 рублей. Возврат возможен в течение 14 дней, нужен чек. `.repeat(30);

/** Registers one user with a twin that knows something, a key and a chat for a site. */
async function becomeActor(base: string, heard: Heard): Promise<Actor> {
  const anonymous = callerOf(base, heard);
  // An account whose e-mail nobody has confirmed makes no keys.
  const person = telegramSignIn({ id: randomInt(1_000_000, 2 ** 31), first_name: "Анна", last_name: "К" });
  const registered = await anonymous.json("POST", "/api/auth/telegram", person);
  const call = callerOf(base, heard, registered.token);
  const { id: twinId } = await call.json("POST", "/api/digital-twins", { name: "Анна", ...ABOUT });
  await call.json("POST", "/api/knowledge/upload", {
    digitalTwinId: twinId,
    name: "Доставка",
    type: "faq",
    content: document(),
  });
  const { token: key } = await call.json("POST", `/api/digital-twins/${twinId}/keys`, {
    name: "Нагрузка",
    scopes: ["ask", "drafts", "mcp"],
    expiresInDays: 90,
    dailyMessages: 100_000,
    dailyTokens: 10_000_000,
  });
  const { id: widgetId } = await call.json("PUT", `/api/digital-twins/${twinId}/widget`, {
    enabled: true,
    allowedSites: [],
    title: "Спросите нас",
    greeting: "Здравствуйте!",
    color: "#0f5f63",
    autonomy: "auto",
    dailyMessages: 100_000,
  });
  return { call, twinId, key, widgetId, organizationId: registered.user.organizationId };
}

const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)]!;

/** Every screen's lists. */
const LISTS = ({ twinId, organizationId }: Actor): string[] => [
  "/api/auth/verify",
  "/api/digital-twins",
  `/api/digital-twins/${twinId}`,
  `/api/digital-twins/${twinId}/training`,
  `/api/digital-twins/${twinId}/quality`,
  `/api/digital-twins/${twinId}/corrections`,
  `/api/digital-twins/${twinId}/versions`,
  `/api/digital-twins/${twinId}/keys`,
  `/api/digital-twins/${twinId}/webhooks`,
  "/api/knowledge/documents",
  "/api/knowledge-base/stats",
  "/api/knowledge-base/sources",
  `/api/knowledge-base/messages?search=${encodeURIComponent(pick(WORDS))}`,
  "/api/conversations",
  `/api/conversations?search=${encodeURIComponent(pick(WORDS))}`,
  "/api/conversations/totals",
  "/api/conversations/assignees",
  "/api/approvals",
  "/api/integrations",
  "/api/crm/integrations",
  "/api/imports",
  "/api/stop-switch",
  "/api/dashboard/stats",
  "/api/activity/recent",
  "/api/analytics?days=30",
  "/api/auth/organizations",
  `/api/organizations/${organizationId}/users`,
  `/api/organizations/${organizationId}/stats`,
  `/api/organizations/${organizationId}/usage`,
  `/api/organizations/${organizationId}/subscription`,
  "/api/subscription-plans",
];

/** Calls that are refused, some of them by the database itself. */
const REFUSED = ({ twinId }: Actor): [path: string, status: number][] => [
  [`/api/digital-twins/${randomUUID()}`, 404],
  [`/api/digital-twins/${twinId}/search`, 400],
  [`/api/conversations/${randomUUID()}/messages`, 404],
  ["/api/conversations/99999999999999999999", 400],
  ["/api/conversations?search=%00", 400],
];

type Act = (actor: Actor) => Promise<unknown>;

const ask = (twinId: string) => ({ twinId, message: `${pick(QUESTIONS)} ${Math.random() < 0.5 ? randomUUID() : ""}` });

/** Each with how often it is done, compared with the others. */
const ACTS: [share: number, act: Act][] = [
  [4, ({ call, twinId }) => call.done("POST", "/api/ai-generate", ask(twinId))],
  [4, ({ call, twinId }) => call.stream("POST", "/api/ai-generate", ask(twinId))],
  [2, ({ call, twinId }) => call.brokenOff("POST", "/api/ai-generate", ask(twinId), Math.random() * 60)],
  [
    5,
    ({ call, twinId }) => call.done("GET", `/api/digital-twins/${twinId}/search?q=${encodeURIComponent(pick(WORDS))}`),
  ],
  [
    1,
    ({ call, twinId }) =>
      call.brokenOff("GET", `/api/digital-twins/${twinId}/search?q=a`, undefined, Math.random() * 20),
  ],
  [12, (actor) => actor.call.done("GET", pick(LISTS(actor)))],
  [3, (actor) => actor.call.brokenOff("GET", pick(LISTS(actor)), undefined, Math.random() * 20)],
  [2, (actor) => actor.call.refused(...pick(REFUSED(actor)))],
  [2, ({ call }) => call.brokenOff("GET", "/api/events", undefined, 200 + Math.random() * 3000)],
  [
    1,
    ({ call, twinId }) =>
      call.done("POST", "/api/knowledge/upload", {
        digitalTwinId: twinId,
        name: "Возврат",
        type: "faq",
        content: document(),
      }),
  ],
  [1, writeThrice],
  [1, ({ call, key, twinId }) => call.with(key).done("POST", "/v1/chat/completions", completion(twinId, false))],
  [1, ({ call, key, twinId }) => call.with(key).stream("POST", "/v1/chat/completions", completion(twinId, true))],
  [1, ({ call, key }) => call.with(key).done("GET", "/v1/models")],
  [1, ({ call, widgetId }) => visit(call, widgetId)],
];

const completion = (model: string, stream: boolean) => ({
  model,
  stream,
  messages: [{ role: "user", content: pick(QUESTIONS) }],
});

/** One `Idempotency-Key`, the same call three times at once. */
async function writeThrice({ call }: Actor): Promise<void> {
  const headers = { "idempotency-key": randomUUID() };
  const name = `Вера ${randomUUID()}`;
  const made = await Promise.all(
    [0, 1, 2].map(() => call.answer("POST", "/api/digital-twins", { name, ...ABOUT }, { headers, also: [409] })),
  );
  const [twin] = made.filter(({ status }) => status === 201).map(({ text }) => JSON.parse(text));
  if (twin !== undefined) await call.done("DELETE", `/api/digital-twins/${twin.id}`);
}

async function visit(call: Caller, widgetId: string): Promise<void> {
  const headers = { "x-visitor": randomBytes(32).toString("base64url") };
  const said = { id: randomUUID(), text: pick(QUESTIONS) };
  // An address may write ten times a minute.
  await call.answer("POST", `/widget/${widgetId}/messages`, said, { headers, also: [429] });
  await call.answer("GET", `/widget/${widgetId}/talk`, undefined, { headers, also: [429] });
}

/** How far the imports have come: messages that were handled, and the seconds in which an import ran. */
export interface ImportPace {
  messages: number;
  seconds: number;
}

/** An export is taken in, over and over. @param messages of each @param pace is added to */
export async function importForever(
  { call, twinId }: Pick<Actor, "call" | "twinId">,
  messages: number,
  folder: string,
  ended: () => boolean,
  pace: ImportPace = { messages: 0, seconds: 0 },
): Promise<void> {
  const path = join(folder, `export-${randomUUID()}.json`);
  await writeTelegramExport(path, messages);
  const bytes = await readFile(path);
  while (!ended()) {
    const form = new FormData();
    form.append("digitalTwinId", twinId);
    form.append("file", new Blob([bytes]), "result.json");
    const { id } = await call.json("POST", "/api/imports", form);
    const state = async (): Promise<ImportState> => call.json("GET", `/api/imports/${id}`);
    while (!ended() && (await state()).status === "reading") await pause(500);
    if (ended()) return;
    await call.done("POST", `/api/imports/${id}/start`, { ownerId: EXPORT_OWNER, consent: true });
    let [at, handled] = [performance.now(), 0];
    for (let done = false; !ended() && !done; ) {
      await pause(500);
      const { status, processed, total } = await state();
      const now = performance.now();
      done = status === "done";
      pace.messages += processed - handled;
      // Pairing what is stored is no longer counted in messages.
      if (handled < total) pace.seconds += (now - at) / 1000;
      [at, handled] = [now, processed];
    }
    // The next round writes everything anew.
    const sources: { id: string }[] = await call.json("GET", "/api/knowledge-base/sources");
    for (const source of sources.slice(0, 1)) {
      if (!ended())
        await call.answer("DELETE", `/api/knowledge-base/sources/${source.id}`, undefined, { also: [404, 409] });
    }
    await pause(2000);
  }
}

interface Load {
  pace: ImportPace;
  /** Resolves when every act has ended. */
  stop(): Promise<void>;
}

/**
 * Begins the load; `heard` receives the result of each call.
 * @param options.clients how many act at once
 * @param options.restMs how long each rests between two acts, on average
 */
export async function beginLoad(
  base: string,
  heard: Heard,
  options: { clients: number; restMs: number; importMessages: number; folder: string },
): Promise<Load> {
  const actors = [await becomeActor(base, heard), await becomeActor(base, heard), await becomeActor(base, heard)];
  let over = false;
  const pace: ImportPace = { messages: 0, seconds: 0 };
  const acts = ACTS.flatMap(([share, act]) => Array.from({ length: share }, () => act));
  const act = async (place: number) => {
    const actor = actors[place % actors.length]!;
    while (!over) {
      await pick(acts)(actor).catch(() => {});
      await pause(Math.random() * 2 * options.restMs);
    }
  };
  const imports = async () => {
    while (!over) {
      await importForever(actors[0]!, options.importMessages, options.folder, () => over, pace).catch(() => pause(500));
    }
  };
  const running = [...Array.from({ length: options.clients }, (_, place) => act(place)), imports()];
  return {
    pace,
    async stop() {
      over = true;
      await Promise.all(running);
    },
  };
}
