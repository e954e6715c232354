/** Local sites that are read page by page. */
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import type { KnowledgeDocument } from "#contract/knowledge/knowledge.ts";
import type { Website, WebsitePage } from "#contract/knowledge/websites.ts";
import { READING } from "#server/knowledge/websites/read-website.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type Provider, startProvider } from "#server/test/servers/provider-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

type Answer = (response: ServerResponse, path: string) => void;

export let t: TestApp;
export let site: Provider;
export let elsewhere: Provider;
/** By path with its query; what is not there is 404. */
export let pages: Record<string, Answer>;
export let asked: string[];
export let askedElsewhere = 0;

export const words = (about: string) =>
  `${about}: доставка по городу занимает один день и стоит 350 рублей, звоните с десяти до восьми.`;
export const html = (title: string, body: string, head = "") =>
  `<!doctype html><html><head><title>${title}</title>${head}</head><body>${body}</body></html>`;
export const page =
  (title: string, body = `<p>${words(title)}</p>`, head = ""): Answer =>
  (response) =>
    void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html(title, body, head));
export const to =
  (location: string): Answer =>
  (response) =>
    void response.writeHead(302, { location }).end();
export const said =
  (text: string, type = "text/plain"): Answer =>
  (response) =>
    void response.writeHead(200, { "content-type": type }).end(text);
export const links = (...paths: string[]) => paths.map((path) => `<a href="${path}">туда</a>`).join(" ");

interface Read {
  client: TestClient;
  id: string;
  twinId: string;
  look(): Promise<Website>;
  pagesOf(): Promise<Map<string, WebsitePage>>;
  documents(): Promise<KnowledgeDocument[]>;
  again(): Promise<void>;
}

export async function read(url = `${site.root}/`): Promise<Read> {
  const client = await t.signUp();
  const twinId = await buildTwin(client);
  const answer = await client.post("/api/knowledge/websites", { digitalTwinId: twinId, url, type: "faq", own: true });
  expect(answer.statusCode, answer.body).toBe(201);
  const { id } = answer.json();
  await t.jobsIdle(50_000);
  return {
    client,
    id,
    twinId,
    look: async () => (await client.get("/api/knowledge/websites")).json()[0],
    async pagesOf() {
      const rows = (await client.get(`/api/knowledge/websites/${id}/pages`)).json<WebsitePage[]>();
      return new Map(rows.map((row) => [row.url.slice(site.root.length), row]));
    },
    documents: async () => (await client.get("/api/knowledge/documents")).json(),
    async again() {
      asked = [];
      expect((await client.post(`/api/knowledge/websites/${id}/read`)).statusCode).toBe(202);
      await t.jobsIdle();
    },
  };
}

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareWebsites(): void {
  beforeAll(async () => {
    // Nothing is given up for being slow, but by who calls giveUpSoon.
    Object.assign(READING, { pauseMs: 0, answerMs: 60_000, retryMs: 50 });
    t = await testApp();
    site = await startProvider(({ path, query, headers }, response) => {
      const whole = query.size > 0 ? `${path}?${query}` : path;
      asked.push(whole);
      expect(headers["user-agent"]).toContain("DigitalTwinsReader");
      const answer = pages[whole] ?? pages[path];
      if (answer) answer(response, whole);
      else response.writeHead(404).end();
    });
    elsewhere = await startProvider((_request, response) => {
      askedElsewhere++;
      response.writeHead(200, { "content-type": "text/html" }).end(html("Чужая страница", "Тайна внутренней сети."));
    });
  });
  afterAll(async () => {
    await t.close();
    await site.close();
    await elsewhere.close();
  });
  beforeEach(() => {
    pages = {};
    asked = [];
  });
}

export function setPages(value: Record<string, Answer>): void {
  pages = value;
}

export function setAsked(value: string[]): void {
  asked = value;
}
