/** Consecutive messages get one answer, and each question in them is a gap of its own. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Gaps } from "#contract/gaps.ts";
import { type BotBench, botBench } from "#server/test/channels/bot-bench.ts";
import { holdBursts } from "#server/test/channels/burst.ts";
import { settled } from "#server/test/gaps/asked-twin.ts";
import { partsOf } from "./separate-messages.ts";

const SNOWMOBILE = "Во сколько лет можно водить снегоход?";
const BOAT = "Где купить лодку?";

let bench: BotBench;
beforeAll(async () => {
  bench = await botBench();
});
afterAll(() => bench.close());

test("two questions in two messages are two gaps, and the draft for both waits until each has an answer", async () => {
  holdBursts();
  const { t, telegram } = bench;
  const bot = await bench.connect();
  for (const text of [SNOWMOBILE, BOAT]) telegram.say(bot.token, bot.ivan, text);
  const [draft] = await bench.drafted(bot.owner);
  expect(draft!.question).toBe(`${SNOWMOBILE}\n${BOAT}`);
  await settled(t);
  const url = `/api/digital-twins/${bot.twinId}/gaps`;
  const open = async () => (await bot.owner.get(url)).json<Gaps>().gaps;
  const gaps = await open();
  expect(
    gaps.map(({ question, times }) => ({ question, times })).toSorted((a, b) => a.question.localeCompare(b.question)),
  ).toEqual([
    { question: SNOWMOBILE, times: 1 },
    { question: BOAT, times: 1 },
  ]);
  expect(new Set(gaps.map(({ questions }) => questions[0]!.messageId)).size).toBe(2);
  const answer = async (question: string, text: string) => {
    const gap = (await open()).find((one) => one.question === question)!;
    await bot.owner.put(`${url}/${gap.id}`, { decision: "answer", question, text });
    await settled(t);
    return (await bench.approvals(bot.owner)).map((one) => one.text);
  };
  const first = await answer(SNOWMOBILE, "Снегоход можно водить с 16 лет.");
  expect(first.toSorted()).toEqual([draft!.text, "Снегоход можно водить с 16 лет."].toSorted());
  expect((await open()).map(({ question }) => question)).toEqual([BOAT]);
  const both = await answer(BOAT, "Лодку можно купить у нас на складе.");
  expect(both.toSorted()).toEqual(["Лодку можно купить у нас на складе.", "Снегоход можно водить с 16 лет."]);
});

const messages = (...contents: string[]) => contents.map((content, place) => ({ id: place + 1, content }));
const saidIn = (...contents: string[]) => partsOf(contents.join("\n"), messages(...contents)).map(({ said }) => said);

test("a message that only tells something, or leans on the one before, stays with the question", () => {
  expect(saidIn("Здравствуйте!", SNOWMOBILE)).toEqual([`Здравствуйте!\n${SNOWMOBILE}`]);
  expect(saidIn(SNOWMOBILE, "А с 14 можно?")).toHaveLength(1);
  expect(saidIn(SNOWMOBILE, BOAT, "Спасибо заранее")).toEqual([SNOWMOBILE, `${BOAT}\nСпасибо заранее`]);
});

test("of what was left without an answer each line goes to the message that holds it", () => {
  const asked = messages(`Сколько стоит доставка? ${SNOWMOBILE}`, BOAT);
  expect(partsOf(`${SNOWMOBILE}\n${BOAT}`, asked)).toEqual([
    { messageId: 1, said: SNOWMOBILE },
    { messageId: 2, said: BOAT },
  ]);
  expect(partsOf(BOAT, asked)).toEqual([{ messageId: 2, said: BOAT }]);
  expect(partsOf(`${SNOWMOBILE}\nСлова из записи`, asked)).toEqual([]);
});
