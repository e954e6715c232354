/** Answers of a server as the specification's fields have them, and a page that is given them in the server's place. */
import type { Page } from "@playwright/test";
import { type ApiRequest, type ApiRoute, interceptCalls } from "./intercept.ts";
import { enter } from "./session.ts";

/** Fulfils the route, or gives back the body of a 200. */
export type Answer = (route: ApiRoute, request: ApiRequest) => unknown;
/** By «METHOD /path», without the query. */
export type Answers = Record<string, Answer>;

export const json =
  (body: unknown, status = 200): Answer =>
  (route) =>
    route.fulfill({ status, contentType: "application/json", body: JSON.stringify(body) });
export const plain =
  (status: number, body: string): Answer =>
  (route) =>
    route.fulfill({ status, contentType: "text/plain; charset=utf-8", body });
export const nothing: Answer = (route) => route.fulfill({ status: 204 });
export const fails = (status: number, message: string): Answer =>
  json({ message, code: "test", requestId: "r1" }, status);
/** No answer ever comes. */
export const hangs: Answer = () => undefined;
/** There is no network. */
export const cut: Answer = (route) => route.abort("internetdisconnected");
export const streamed = (...events: [string, unknown][]): Answer => {
  const body = events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join("");
  return (route) => route.fulfill({ status: 200, contentType: "text/event-stream; charset=utf-8", body });
};
/** Every list is empty, every twin's training has ended. */
const atRest: Answer = (route, request) => json(ofTwinAtRest(request) ?? [])(route, request);
/** What a screen asks of each twin beside lists; undefined: something else. */
export const ofTwinAtRest = (request: Pick<ApiRequest, "method" | "url">): object | undefined =>
  ({ training, "chat-facts": noFacts })[nameOf(request).split("/").at(-1)!];
/** For calls that no test foresees: it fails. */
export const unforeseen: Answer = (_route, request) => {
  throw new Error(`No answer for ${nameOf(request)}`);
};

export const nameOf = (request: Pick<ApiRequest, "method" | "url">) =>
  `${request.method()} ${new URL(request.url()).pathname}`;

export interface Call {
  call: string;
  /** Null for one without a body of JSON. */
  body: unknown;
}

/**
 * Signs in without a server and answers the calls that `answers` names; `others` answers the rest. Gives back every call
 * that is made, as it is made.
 */
export async function answering(page: Page, answers: Answers, others = atRest): Promise<Call[]> {
  await enter(page, { token: "token-of-a-test", user });
  const all: Answers = { ...frame, ...answers };
  const calls: Call[] = [];
  await interceptCalls(page, async (route, request) => {
    const call = nameOf(request);
    const isJson = request.headers()["content-type"] === "application/json";
    calls.push({ call, body: isJson ? request.postDataJSON() : null });
    const body = await (all[call] ?? others)(route, request);
    if (body !== undefined) await route.fulfill({ json: body });
  });
  return calls;
}

/** What an organisation has used of ten gigabytes. */
export const storageOf = (usedGigabytes: number, disk = "enough") => ({
  usedBytes: usedGigabytes * 1024 ** 3,
  limitBytes: 10 * 1024 ** 3,
  uploadsBytes: usedGigabytes * 1024 ** 3,
  documentsBytes: 0,
  indexesBytes: 0,
  disk,
});

export const uuid = (n: number) => `8b0e2f1c-0000-4000-8000-${String(n).padStart(12, "0")}`;

export const user = {
  id: uuid(900),
  email: "anna@example.com",
  firstName: "Анна",
  lastName: "Петрова",
  first_name: "Анна",
  last_name: "Петрова",
  fullName: "Анна Петрова",
  username: null,
  telegramUsername: null,
  photo_url: null,
  authMethod: "email",
  emailConfirmed: true,
  role: "org_admin",
  superAdmin: false,
  organizationId: uuid(901),
};

export function twin(n: number, own: Record<string, unknown> = {}) {
  return {
    id: uuid(n),
    name: `Двойник ${n}`,
    description: `Отвечает на вопросы о чае, линия ${n}`,
    personality: "Спокойный и внимательный, шутит к месту",
    communicationStyle: "Коротко и на вы",
    expertise: ["Чай и кофе"],
    status: "ready",
    isActive: true,
    styleAccuracy: null,
    ownerId: user.id,
    lastTrainedAt: null,
    createdAt: "2025-11-20T10:00:00.000Z",
    updatedAt: "2025-11-20T10:00:00.000Z",
    ...own,
  };
}

/** Two twins with names that no other text has. */
export const twins = [twin(1, { name: "Анна" }), twin(2, { name: "Олег" })];

export const withTwins = (page: Page, answers: Answers) => answering(page, { ...listOf(...twins), ...answers });

export const listOf = (...twins: unknown[]): Answers => ({ "GET /api/digital-twins": json(twins) });
export const oneTwin = (one: { id: string }): Answers => ({ [`GET /api/digital-twins/${one.id}`]: json(one) });

/** What every screen asks for before its own calls. */
export const frame: Answers = {
  [`GET /api/organizations/${user.organizationId}/storage`]: json(storageOf(0)),
  "GET /api/auth/verify": json({ user }),
  "GET /api/config": json({ demo: true, letters: "mail", telegramBot: null, engine: "embedded", version: "0.1.0" }),
  "GET /api/approvals/count": json({ waiting: 0 }),
  // Begun on every screen: it stays without an answer, as a stream that has nothing to tell.
  "GET /api/events": () => undefined,
  "GET /api/stop-switch": json({ stopped: false, since: null, by: null, mayResume: true }),
};

export const training = {
  status: "ready",
  progress: 1,
  running: false,
  stage: null,
  error: null,
  passages: 3,
  exemplars: 9,
  messages: 20,
  meaning: null,
};

const noFacts = { counts: { total: 0, left: 0 }, facts: [], looking: false };

export const reply = {
  response: "Доставка по Москве 1–2 дня",
  sources: [],
  exemplars: [],
  confidence: 0.82,
  basis: "knowledge",
  reason: "Ответ найден в документе «Доставка».",
  conversationId: uuid(600),
  messageId: "7",
};

/** A connected account of Telegram. */
export const integration = (n: number, own: Record<string, unknown> = {}) => ({
  id: uuid(100 + n),
  platform: "telegram",
  status: "active",
  statusReason: null,
  digitalTwinName: "Анна",
  digitalTwinId: uuid(1),
  messagesImported: 1247,
  messagesHandled: 95,
  lastSync: "2025-11-20T10:00:00.000Z",
  createdAt: "2025-11-20T10:00:00.000Z",
  updatedAt: "2025-11-20T10:00:00.000Z",
  phoneNumber: `+7900000000${n}`,
  config: { phoneNumber: `+7900000000${n}` },
  settings: { success_rate: 0.95 },
  autonomy: "draft",
  ...own,
});
