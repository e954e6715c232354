/** Kills the real server during a training; after a restart the result must equal that of an undisturbed server. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { onServer } from "#server/test/database.ts";
import { TWIN } from "#server/test/factories/twin-input.ts";
import { type ChildServer, startServer } from "#server/test/processes/child-server.ts";
import { prepareDataFolder } from "#server/test/processes/data-folder.ts";
import { testApp } from "#server/test/test-app.ts";

/** For manual runs with more documents: TRAINING_DOCUMENTS=200. */
const DOCUMENTS = Number(process.env.TRAINING_DOCUMENTS ?? 80);
/** Only protects the test from hanging. */
const READY_MS = 120_000;

/** Sends a request over the network or injected, and returns its status and JSON. */
type Call = (method: "GET" | "POST", path: string, body?: object) => Promise<{ status: number; body: unknown }>;

let cwd: string;
let environment: Record<string, string>;
let dropDatabase = async () => {};
let server: ChildServer | undefined;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "dt-kill-training-"));
  environment = { DEMO: "0", LOG_LEVEL: "error", REQUESTS_PER_MINUTE: "0", DATA_DIR: "kept" };
  const given = inject("databaseSnapshot");
  if ("path" in given) return prepareDataFolder(join(cwd, "kept"));
  const name = `kill_training_${randomUUID().replaceAll("-", "")}`;
  const url = new URL(given.url);
  url.pathname = `/${name}`;
  await onServer(given.url, `create database ${name} template ${given.template}`);
  dropDatabase = () => onServer(given.url, `drop database if exists ${name} with (force)`);
  Object.assign(environment, { DATABASE_URL: url.href, MASTER_KEY: Buffer.alloc(32, 1).toString("base64") });
});

afterAll(async () => {
  await server?.end("SIGKILL");
  await dropDatabase();
  await rm(cwd, { recursive: true, force: true });
});

const GOODS = ["чай", "кофе", "кружка", "чайник", "фильтр", "термос", "мельница", "сахар", "сироп", "шоколад"];
const documentOf = (place: number) => {
  const goods = GOODS[place % GOODS.length];
  return Array.from(
    { length: 25 },
    (_, at) => `Товар ${goods} артикул ${place}-${at}: цена ${place * 10 + at} рублей, доставка ${1 + (at % 5)} дня.`,
  ).join("\n\n");
};
const QUESTIONS = ["Сколько стоит артикул 50-7?", "Какая цена у артикула 3-21?", "Как дела?", "Когда доставят термос?"];

async function must(call: Call, method: "GET" | "POST", path: string, body?: object): Promise<unknown> {
  const answer = await call(method, path, body);
  expect(answer.status, `${path} ${JSON.stringify(answer.body).slice(0, 300)}`).toBeLessThan(300);
  return answer.body;
}

/** Creates a twin with all its knowledge. */
async function teach(call: Call): Promise<string> {
  const { id } = (await must(call, "POST", "/api/digital-twins", { ...TWIN, knowledgeArea: "Товары" })) as {
    id: string;
  };
  await must(call, "POST", "/api/conversations/upload", {
    digitalTwinId: id,
    platform: "telegram",
    participants: ["Олег"],
    messages: Array.from({ length: 40 }, (_, at) => [
      { role: "user", content: `Есть ли в продаже ${GOODS[at % GOODS.length]} номер ${at}?` },
      { role: "assistant", content: `Вы: ага, ${GOODS[at % GOODS.length]} есть, привезём завтра))` },
    ]).flat(),
  });
  for (let place = 0; place < DOCUMENTS; place++) {
    await must(call, "POST", "/api/knowledge/upload", {
      digitalTwinId: id,
      name: `Прайс ${place}`,
      type: "product",
      content: documentOf(place),
    });
  }
  return id;
}

interface Training {
  status: string;
  running: boolean;
  progress: number;
  chunks: number;
  replyExamples: number;
  messages: number;
}

async function untilReady(call: Call, id: string, deadline: number): Promise<Training> {
  for (;;) {
    const state = (await must(call, "GET", `/api/digital-twins/${id}/training`)) as Training;
    if (state.status === "ready" && !state.running) return state;
    if (Date.now() > deadline) throw new Error(`Not ready in time: ${JSON.stringify(state)}`);
    await wait(100);
  }
}

/** Returns the twin's knowledge and replies, without database ids. */
async function outcome(call: Call, id: string) {
  const found = await Promise.all(
    QUESTIONS.map(async (question) => {
      const hits = (await must(call, "GET", `/api/digital-twins/${id}/search?q=${encodeURIComponent(question)}`)) as {
        text: string;
        score: number;
      }[];
      return hits[0] === undefined ? null : { text: hits[0].text, score: Math.round(hits[0].score * 1000) };
    }),
  );
  const said = [];
  for (const message of QUESTIONS.slice(0, 2)) {
    const reply = (await must(call, "POST", "/api/ai-generate", { twinId: id, message })) as {
      response: string;
      basis: string;
      sources: { text: string }[];
    };
    said.push({ response: reply.response, basis: reply.basis, sources: reply.sources.map(({ text }) => text) });
  }
  const documents = (await must(call, "GET", "/api/knowledge/documents")) as { name: string; length: number }[];
  return { found, said, documents: documents.map(({ name, length }) => `${name} ${length}`).sort() };
}

const counts = ({ chunks, replyExamples, messages }: Training) => ({ chunks, replyExamples, messages });

test("a twin whose training was killed becomes ready after a restart, and then knows and answers the same as after an undisturbed run", async () => {
  let token = "";
  const overTheWire: Call = async (method, path, body) => {
    const answer = await fetch(`${server!.url}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  server = await startServer(environment, cwd);
  const registered = await must(overTheWire, "POST", "/api/auth/email/register", {
    email: `${randomUUID()}@example.test`,
    password: "длинный пароль 1",
  });
  token = (registered as { token: string }).token;
  const id = await teach(overTheWire);
  // The kill must interrupt the training in the middle.
  let before: Training;
  do {
    before = (await must(overTheWire, "GET", `/api/digital-twins/${id}/training`)) as Training;
  } while (!before.running);
  await server.end("SIGKILL");

  server = await startServer(environment, cwd);
  const killed = await untilReady(overTheWire, id, Date.now() + READY_MS);
  const killedOutcome = await outcome(overTheWire, id);

  const clean = await testApp();
  try {
    const client = await clean.signUp();
    const injected: Call = async (method, path, body) => {
      const answer = await client.inject({ method, url: path, ...(body === undefined ? {} : { payload: body }) });
      return { status: answer.statusCode, body: answer.json() };
    };
    const cleanId = await teach(injected);
    const undisturbed = await untilReady(injected, cleanId, Date.now() + READY_MS);
    expect(counts(killed)).toEqual(counts(undisturbed));
    expect(killed.chunks).toBeGreaterThan(DOCUMENTS);
    expect(killed.replyExamples).toBe(40);
    expect(killedOutcome).toEqual(await outcome(injected, cleanId));
    expect(killedOutcome.documents).toHaveLength(DOCUMENTS);
    expect(killedOutcome.said[0]!.response).toContain("507");
  } finally {
    await clean.close();
  }
});
