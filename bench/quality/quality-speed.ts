// What it costs to learn how an owner of 100,000 messages writes and to measure the twin's fidelity, and to search it.

import { embeddedGenerator } from "#server/answers/replies/embedded-generator.ts";
import { measureFidelity } from "#server/answers/training/measure-fidelity.ts";
import { searchTwin } from "#server/knowledge/search/twin-index.ts";
import { measureHistory } from "#server/knowledge/style/measure-history.ts";
import type { Database } from "#server/platform/db/database.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { readMessages, readXquad } from "../material/public-data.ts";
import { learn, type Talk, twinOfTalks } from "../material/talking-twin.ts";

const MESSAGES = 100_000;
const CONTACTS = 60;
const A_TALK = 20;
const WARMING = 30;
const DAY_MS = 24 * 3600_000;
const calm = new AbortController().signal;

/** Each contact and the owner in turns, a talk of twenty messages a day. */
function talks(): Talk[] {
  const texts = readMessages(MESSAGES);
  const each = Math.floor(MESSAGES / CONTACTS);
  return Array.from({ length: CONTACTS }, (_, contact) => ({
    name: `Собеседник ${contact}`,
    kind: "private",
    lines: texts.slice(contact * each, (contact + 1) * each).map((text, at) => ({
      author: at % 2 === 0 ? `Собеседник ${contact}` : null,
      text,
      at: Date.UTC(2025, 0, 1, 9, contact) + Math.floor(at / A_TALK) * DAY_MS + (at % A_TALK) * 180_000,
    })),
  }));
}

interface Cost {
  /** CPU time of this process and its threads, user and system together. */
  "CPU s": string;
  "wall s": string;
}

interface SearchCost {
  "p50 ms": string;
  /** CPU time of this process, without PostgreSQL's. */
  "CPU ms": string;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const [cpu, began] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return {
    "CPU s": ((user + system) / 1e6).toFixed(1),
    "wall s": ((performance.now() - began) / 1000).toFixed(1),
  };
}

/** Measures the two speed goals: profile and fidelity of 100,000 messages, and a search among 1,000 chunks. */
export async function speed(db: Database): Promise<Record<string, Partial<Cost & SearchCost>>> {
  const paragraphs = [...readXquad("ru"), ...readXquad("en")];
  const read = Array.from({ length: 1000 }, (_, n) => paragraphs[n % paragraphs.length]!.text);
  const twin = await twinOfTalks(db, talks(), read);
  const { tenant, twinId } = twin;
  await learn(db, twin);
  const profile = await costOf(() => measureHistory(db, tenant, twinId, { signal: calm }));
  const measure = await costOf(() =>
    measureFidelity(
      {
        db,
        jobs: { enqueue: async () => {} },
        generator: embeddedGenerator(),
        queryEmbedder: null,
        reranker: null,
        localModels: null,
        remoteGenerators: null,
      },
      { ...tenant, twinId },
      calm,
    ),
  );
  const queries = paragraphs.flatMap(({ questions }) => questions.map(({ text }) => text)).slice(0, 300);
  const times: number[] = [];
  const cpu = process.cpuUsage();
  for (const query of [...queries.slice(0, WARMING), ...queries]) {
    const began = performance.now();
    await asTenant(db, tenant, (tx) =>
      searchTwin(tx, { twinId, query, audience: { kind: "owner" }, kinds: ["chunk", "message"], limit: 5 }),
    );
    times.push(performance.now() - began);
  }
  const { user, system } = process.cpuUsage(cpu);
  const middle = times.slice(WARMING).toSorted((a, b) => a - b)[queries.length / 2]!;
  return {
    "profile of 100,000 messages": profile,
    "measure of fidelity": measure,
    "search, 1,000 chunks + 100,000 messages": {
      "p50 ms": middle.toFixed(2),
      "CPU ms": ((user + system) / 1000 / times.length).toFixed(2),
    },
  };
}
