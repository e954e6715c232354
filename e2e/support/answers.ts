/** A page that is given a test's own answers in the server's place; what they hold is made in e2e/factories/. */
import type { Page } from "@playwright/test";
import { buildCrm } from "../factories/crm.ts";
import { buildWaiting } from "../factories/dashboard.ts";
import { buildStorage } from "../factories/organization.ts";
import { user } from "../factories/people.ts";
import { buildTraining, twins } from "../factories/twin.ts";
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
export const fails = (status: number, message: string, code = "test"): Answer =>
  json({ message, code, requestId: "r1" }, status);
/** A database that is away until `comes` is called: until then every answer made by `unlessAway` is a 503. */
export function databaseAway(): { unlessAway(body: unknown): Answer; comes(): void } {
  let away = true;
  return {
    unlessAway: (body) => (route, request) =>
      away ? fails(503, "База данных временно недоступна")(route, request) : body,
    comes: () => {
      away = false;
    },
  };
}
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
  ({ training: buildTraining(), "chat-facts": noFacts, count: { open: 0 } })[nameOf(request).split("/").at(-1)!];
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

export const withTwins = (page: Page, answers: Answers) => answering(page, { ...listOf(...twins), ...answers });

export const listOf = (...twins: unknown[]): Answers => ({ "GET /api/digital-twins": json(twins) });
export const oneTwin = (one: { id: string }): Answers => ({ [`GET /api/digital-twins/${one.id}`]: json(one) });

/** What every screen asks for before its own calls. */
export const frame: Answers = {
  [`GET /api/organizations/${user.organizationId}/storage`]: json(buildStorage(0)),
  "GET /api/auth/verify": json({ user }),
  "GET /api/config": json({ demo: true, letters: "mail", telegramBot: null, engine: "embedded", version: "0.1.0" }),
  "GET /api/installation/administrator": json({ administrator: "there" }),
  "GET /api/approvals/count": json({ waiting: 0 }),
  "GET /api/acts/count": json({ waiting: 0 }),
  "GET /api/dashboard/waiting": json(buildWaiting()),
  // What the palette asks as soon as something is typed into it.
  "GET /api/search": json({ contacts: [], messages: [], documents: [], facts: [], forms: [] }),
  // Beside the specified view of /crm.
  "GET /api/crm": json(buildCrm()),
  // Begun on every screen: it stays without an answer, as a stream that has nothing to tell.
  "GET /api/events": () => undefined,
  "GET /api/stop-switch": json({ stopped: false, since: null, by: null, mayResume: true }),
};

const noFacts = { counts: { total: 0, left: 0 }, facts: [], looking: false };
