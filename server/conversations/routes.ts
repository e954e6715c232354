import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { contactsApi } from "#contract/contact-card.ts";
import { conversationsApi } from "#contract/conversations.ts";
import { firstAnswerApi } from "#contract/first-answer.ts";
import type { ProblemBody } from "#contract/problem.ts";
import { sessionEnd } from "#server/auth/stream-end.ts";
import { leavingReader, on } from "#server/http.ts";
import type { Log } from "#server/log.ts";
import { addFact, contactCard, editFact, removeFact, updateContact } from "./contact-card.ts";
import {
  conversationTotals,
  getConversation,
  listConversations,
  markRead,
  openTestConversation,
  removeConversation,
  updateConversation,
} from "./conversations.ts";
import { rateReply } from "./feedback.ts";
import { firstAnswer } from "./first-answer.ts";
import { listAssignees } from "./member-names.ts";
import { addNote, editNote, listNotes, removeNote } from "./notes.ts";
import { answerInTestChat, type ReplyEvent, type TestChatDeps } from "./test-chat.ts";
import { conversationTranscript } from "./transcript.ts";

interface ConversationDeps extends TestChatDeps {
  log: Log;
  /** How an error that comes after the stream's headers is worded. */
  toProblemBody(error: unknown, requestId: string): ProblemBody;
}

export function mountConversationRoutes(app: FastifyInstance, deps: ConversationDeps): void {
  const { db } = deps;
  on(app, conversationsApi.list, ({ viewer, query }) => listConversations(db, viewer, query), { costly: true });
  on(app, conversationsApi.totals, ({ viewer }) => conversationTotals(db, viewer));
  on(app, conversationsApi.create, ({ viewer, input }) => openTestConversation(db, viewer, input));
  on(app, conversationsApi.get, ({ viewer, params }) => getConversation(db, viewer, params.id));
  on(app, conversationsApi.update, ({ viewer, params, input }) => updateConversation(db, viewer, params.id, input));
  on(app, conversationsApi.remove, ({ viewer, params }) => removeConversation(db, viewer, params.id));
  on(app, conversationsApi.read, ({ viewer, params }) => markRead(db, viewer, params.id));
  on(app, conversationsApi.assignees, ({ viewer }) => listAssignees(db, viewer.organizationId));
  on(app, contactsApi.card, ({ viewer, params }) => contactCard(db, viewer, params.id));
  on(app, contactsApi.update, ({ viewer, params, input }) => updateContact(db, viewer, params.id, input));
  on(app, contactsApi.addFact, ({ viewer, params, input }) => addFact(db, viewer, params.id, input));
  on(app, contactsApi.editFact, ({ viewer, params, input }) => editFact(db, viewer, params.id, input));
  on(app, contactsApi.removeFact, ({ viewer, params }) => removeFact(db, viewer, params.id));
  on(app, contactsApi.notes, ({ viewer, params }) => listNotes(db, viewer, params.id));
  on(app, contactsApi.addNote, ({ viewer, params, input }) => addNote(db, viewer, params.id, input));
  on(app, contactsApi.editNote, ({ viewer, params, input }) => editNote(db, viewer, params.id, input));
  on(app, contactsApi.removeNote, ({ viewer, params }) => removeNote(db, viewer, params.id));
  on(app, conversationsApi.messages, ({ viewer, params }) => conversationTranscript(db, viewer, params.id));
  on(app, conversationsApi.feedback, ({ viewer, params, input }) => rateReply(db, viewer, Number(params.id), input));
  on(app, firstAnswerApi.create, ({ viewer, params, input, request, reply }) => {
    const signal = AbortSignal.any([leavingReader(reply), sessionEnd(request)]);
    return firstAnswer(deps, viewer, params.id, input, signal);
  });
  on(app, conversationsApi.generate, async ({ viewer, input, request, reply }) => {
    const leaving = leavingReader(reply);
    const signedOut = sessionEnd(request);
    const events = answerInTestChat(deps, viewer, input, AbortSignal.any([leaving, signedOut]));
    // What the answer leans on is searched in turn; a model may then take its time.
    const { value: started } = await app.turns.run(viewer, leaving, () => events.next());
    if (request.headers.accept?.includes("text/event-stream")) {
      // Whatever can be refused is refused here, with a status of its own; what fails later is an `error` event.
      // Known before the answer is: a reader who stops it can go on in the same conversation.
      if (started?.type === "started") reply.header("x-conversation-id", started.conversationId);
      reply.header("content-type", "text/event-stream; charset=utf-8").header("x-accel-buffering", "no");
      return reply.send(Readable.from(eventStream(events, deps, request.id, { leaving, signedOut }))) as never;
    }
    for await (const event of events) if (event.type === "done") return event.reply;
    throw new Error("A reply ended without its last event");
  });
}

/** `event: delta|done|error` lines of the HTML standard's server-sent events. */
async function* eventStream(
  events: AsyncGenerator<ReplyEvent>,
  deps: ConversationDeps,
  requestId: string,
  { leaving, signedOut }: { leaving: AbortSignal; signedOut: AbortSignal },
): AsyncGenerator<string> {
  try {
    for await (const event of events) {
      if (event.type === "delta") yield sse("delta", { text: event.text });
      else if (event.type === "done") yield sse("done", event.reply);
    }
  } catch (error) {
    if (leaving.aborted) return;
    if (!signedOut.aborted) deps.log.warn({ err: error, requestId }, "a streamed reply failed");
    yield sse("error", deps.toProblemBody(error, requestId));
  }
}

const sse = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
