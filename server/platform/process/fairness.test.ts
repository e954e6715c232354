/** A user who sends many requests hardly delays other users. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

const WORDS = "доставка возврат оплата гарантия чек магазин покупатель склад товар день рубль курьер".split(" ");
const ROUNDS = 5;
/** Maximum number of the other user's thirty searches that may be answered first; without fair turns it would be nearly all of them. */
const MAX_BEFORE = 8;

let t: TestApp;
interface Person {
  client: TestClient;
  twinId: string;
  remoteAddress: string;
}
const people: Person[] = [];
beforeAll(async () => {
  t = await testApp();
  for (let person = 0; person < 2; person++) {
    const client = await t.signUp();
    const twinId = await buildTwin(client);
    const lines = Array.from({ length: 300 }, (_, at) =>
      [0, 1, 2, 3, 4, 5].map((place) => WORDS[(at * 7 + place * 5) % WORDS.length]).join(" "),
    );
    const content = lines.join("\n\n");
    await client.post("/api/knowledge/upload", { digitalTwinId: twinId, name: "Д", type: "faq", content });
    people.push({ client, twinId, remoteAddress: `192.0.2.${person}` });
  }
  await t.jobsIdle();
});
afterAll(() => t.close());

const search = ({ client, twinId, remoteAddress }: Person, at: number) =>
  client.inject({
    method: "GET",
    url: `/api/digital-twins/${twinId}/search?q=${encodeURIComponent(`${WORDS[at % 12]} ${WORDS[(at * 5 + 3) % 12]}`)}`,
    remoteAddress,
  });

test("a search beside another user's thirty is answered after a few of them, and all are answered", async () => {
  const [greedy, other] = people as [Person, Person];
  await search(other, 0);
  // Counts answered searches of the other user instead of time, which would depend on the machine.
  const before: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    let answered = 0;
    const statuses = new Set<number>();
    const busy = Array.from({ length: 30 }, async (_, place) => {
      statuses.add((await search(greedy, place + round)).statusCode);
      answered++;
    });
    expect((await search(other, round)).statusCode).toBe(200);
    before.push(answered);
    await Promise.all(busy);
    expect([...statuses]).toEqual([200]);
  }
  expect(before.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]).toBeLessThanOrEqual(MAX_BEFORE);
});

test("requests beyond the queue limit are refused with a message and a time to retry", async () => {
  const [greedy] = people as [Person];
  const answers = await Promise.all(Array.from({ length: 80 }, (_, at) => search(greedy, at)));
  const refused = answers.filter(({ statusCode }) => statusCode === 429);
  expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBeGreaterThan(30);
  expect(refused.length).toBeGreaterThan(10);
  expect(refused[0]!.json()).toMatchObject({
    code: "too_many_at_once",
    message: "Слишком много запросов сразу. Дождитесь ответов на прежние и повторите.",
  });
  expect(refused[0]!.headers["retry-after"]).toBe("2");
});
