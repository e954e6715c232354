/** A draft that the owner rewrote becomes a sample of his manner, and goes with the contact who received it. */
import { expect, test } from "vitest";
import type { StyleSamples } from "#contract/knowledge/style-samples.ts";
import { answers, connect, hear, prepareOwnerInbox, someone } from "#server/test/channels/owner-inbox-bench.ts";

prepareOwnerInbox();

test("a rewritten draft is opened with personal data masked; one in the twin's words, or of another twin, is not", async () => {
  const [place, other, peer] = [await connect("draft"), await connect("draft"), someone()];
  const { ann, twinId } = place;
  const id = await hear(place, peer, "Когда привезёте заказ?");
  const [draft] = await answers(place, id);
  const open = (twin: string) => ann.post(`/api/digital-twins/${twin}/style-samples/answers/${draft!.id}`);
  expect((await open(twinId)).statusCode).toBe(404);

  const text = "Завтра к обеду, наберите Петру: +7 912 345-67-89";
  const edited = await ann.put(`/api/approvals/${draft!.id}`, { text });
  expect(edited.statusCode, edited.body).toBe(200);
  expect((await open(other.twinId)).statusCode).toBe(404);
  const opened = await open(twinId);
  expect(opened.statusCode, opened.body).toBe(201);
  expect(opened.json()).toMatchObject({ origin: "opened", incoming: null, state: "open" });
  expect(opened.json().text).toMatch(/^Завтра к обеду, наберите .+: \[телефон\]$/);

  const samples = async () =>
    (await ann.get(`/api/digital-twins/${twinId}/style-samples`)).json<StyleSamples>().samples;
  expect(await samples()).toHaveLength(1);
  const forgotten = await ann.delete(`/api/conversations/${id}/contact`);
  expect(forgotten.statusCode, forgotten.body).toBeLessThan(300);
  expect(await samples()).toEqual([]);
});
