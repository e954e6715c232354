/** A twin for friends without a model leaves to its owner what it cannot say in his words. */
import { expect, test } from "vitest";
import { answers, connect, hear, prepareOwnerInbox, sentTo, someone } from "#server/test/channels/owner-inbox-bench.ts";

prepareOwnerInbox();

const MESSAGES = ["Ну что, когда увидимся?", "Скинь рецепт того пирога", "Ты где сейчас?"];

test("a friend is not put off in words that no friend writes: the message waits for the owner's own", async () => {
  const [place, ivan] = [await connect("auto"), someone()];
  await place.ann.put(`/api/digital-twins/${place.twinId}`, { purpose: "friends" });
  for (const message of MESSAGES) {
    const id = await hear(place, ivan, message);
    const waiting = await answers(place, id);
    expect(waiting.map(({ question, text }) => [question, text])).toContainEqual([message, ""]);
  }
  // Thanks are answered as before, and are all that he reads.
  await hear(place, ivan, "Спасибо!");
  await expect
    .poll(() => sentTo(ivan), { timeout: 20_000 })
    .toEqual([expect.stringMatching(/пожалуйста|обращайтесь|рад/i)]);
});

test("a business tells a customer that the owner will answer", async () => {
  const [place, ivan] = [await connect("auto"), someone()];
  await hear(place, ivan, "Скинь рецепт того пирога");
  await expect.poll(() => sentTo(ivan), { timeout: 20_000 }).toHaveLength(1);
});
