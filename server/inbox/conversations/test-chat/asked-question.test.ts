/** A question whose answer takes long is kept by the server: it is there after the process that answered has ended. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { ChatMessage, Conversation } from "#contract/conversations/conversations.ts";
import {
  model,
  prepareModel,
  prepareTestChat,
  SAID,
  stored,
  t,
  twinOf,
} from "#server/test/conversations/test-chat-bench.ts";
import type { TestClient } from "#server/test/test-app.ts";
import { markInterruptedQuestions } from "../interrupted-questions.ts";
import { ASKED } from "./asked-question.ts";
import { answerInTestChat } from "./test-chat.ts";

prepareTestChat();
prepareModel({ timeoutSeconds: 300 });
const usual = { ...ASKED };
beforeAll(() => Object.assign(ASKED, { keptAfterMs: 0 }));
afterAll(() => Object.assign(ASKED, usual));

const QUESTION = "Сколько стоит доставка по Москве?";

/** Begins an answer that the model holds back until the test ends. */
async function beginAnswer(ann: TestClient, twinId: string, conversationId?: string) {
  const { promise: heldUntil, resolve: letGo } = Promise.withResolvers<void>();
  onTestFinished(() => letGo());
  model.script({ kind: "ok", heldUntil });
  const [leaving, stopping] = [new AbortController(), new AbortController()];
  const id = conversationId ?? randomUUID();
  const input = { twinId, message: QUESTION, ...(conversationId ? { conversationId } : { newId: id }) };
  const caller = { ...ann.caller, sessionId: "" };
  const events = answerInTestChat({ ...t.services, log: t.services.log }, caller, input, {
    leaving: leaving.signal,
    stopping: stopping.signal,
  });
  const before = model.requests.length;
  const next = events.next().then(
    () => events.next().catch((error: unknown) => error),
    (error: unknown) => error,
  );
  // What is aborted before would leave its script to the next question.
  await vi.waitFor(() => expect(model.requests.length).toBe(before + 1), { timeout: 120_000 });
  return { id, next, events, letGo, leaving, stopping };
}

const transcript = async (ann: TestClient, id: string): Promise<[string, string | undefined][]> =>
  (await ann.get(`/api/conversations/${id}/messages`))
    .json<ChatMessage[]>()
    .map(({ content, answer }) => [content, answer]);
const showing = (ann: TestClient, id: string, answer: string) =>
  vi.waitFor(async () => expect((await transcript(ann, id)).at(-1)).toEqual([QUESTION, answer]), { timeout: 120_000 });

test("while it is answered it stands in its new conversation, and with the answer both are stored once", async () => {
  const ann = await t.signUp();
  const twinId = await twinOf(ann);
  const { id, next, events, letGo } = await beginAnswer(ann, twinId);
  await vi.waitFor(async () => expect((await stored(ann, twinId)).talks).toHaveLength(1), { timeout: 120_000 });
  await showing(ann, id, "coming");
  letGo();
  await next;
  for await (const _ of events);
  expect(await transcript(ann, id)).toEqual([
    [QUESTION, undefined],
    [SAID, undefined],
  ]);
  const { talks, counted } = await stored(ann, twinId);
  expect(talks).toMatchObject([{ id, messageCount: 2, participantName: QUESTION, asked: null, askedUntil: null }]);
  expect(counted).toBe(1);
});

test("in a conversation that was opened before, nothing writes the question again after its answer", async () => {
  const ann = await t.signUp();
  const twinId = await twinOf(ann);
  const { id: opened } = (await ann.post("/api/conversations", { twinId })).json<Conversation>();
  Object.assign(ASKED, { renewMs: 5 });
  onTestFinished(() => void Object.assign(ASKED, { renewMs: usual.renewMs }));
  const { next, events, letGo } = await beginAnswer(ann, twinId, opened);
  await showing(ann, opened, "coming");
  letGo();
  await next;
  for await (const _ of events);
  // Real time: a renewal that had gone on would come within it.
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await transcript(ann, opened)).toEqual([
    [QUESTION, undefined],
    [SAID, undefined],
  ]);
});

test("when the process dies it is interrupted, stays in its conversation and can be asked again there", async () => {
  const ann = await t.signUp();
  const twinId = await twinOf(ann);
  const { id } = await beginAnswer(ann, twinId);
  await vi.waitFor(async () => expect((await stored(ann, twinId)).talks).toHaveLength(1), { timeout: 120_000 });
  // The next start of the embedded database; with several processes the time since the last sign of life decides.
  await markInterruptedQuestions(t.services.db);
  await showing(ann, id, "interrupted");
  // A new test chat is another conversation than the one that holds the question.
  const opened = (await ann.post("/api/conversations", { twinId })).json<Conversation>();
  expect(opened.id).not.toBe(id);
  const again = await ann.post("/api/ai-generate", { twinId, message: QUESTION, conversationId: id });
  expect(again.json()).toMatchObject({ response: SAID, conversationId: id });
  expect(await transcript(ann, id)).toEqual([
    [QUESTION, undefined],
    [SAID, undefined],
  ]);
});

test("when the server stops it is interrupted at once, and the reader gets the reason", async () => {
  const ann = await t.signUp();
  const twinId = await twinOf(ann);
  const { id, next, stopping } = await beginAnswer(ann, twinId);
  const reason = new Error("the server stops");
  stopping.abort(reason);
  expect(await next).toBe(reason);
  await showing(ann, id, "interrupted");
});

test("an answer that fails or is not wanted leaves nothing, as its reader was told", async () => {
  const ann = await t.signUp();
  const twinId = await twinOf(ann);
  const left = await beginAnswer(ann, twinId);
  await vi.waitFor(async () => expect((await stored(ann, twinId)).talks).toHaveLength(1), { timeout: 120_000 });
  left.leaving.abort();
  await left.next;
  expect((await stored(ann, twinId)).talks).toEqual([]);
  const { conversationId } = (await ann.post("/api/ai-generate", { twinId, message: QUESTION })).json();
  const later = await beginAnswer(ann, twinId, conversationId);
  await showing(ann, conversationId, "coming");
  later.leaving.abort();
  await later.next;
  expect(await transcript(ann, conversationId)).toHaveLength(2);
});
