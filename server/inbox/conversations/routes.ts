import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { actsApi } from "#contract/conversations/acts.ts";
import { contactsApi } from "#contract/conversations/contact-card.ts";
import { CONVERSATION_HEADER, conversationsApi, NewConversationId } from "#contract/conversations/conversations.ts";
import { firstAnswerApi } from "#contract/conversations/first-answer.ts";
import { labelsApi } from "#contract/conversations/labels.ts";
import { messageSearchApi } from "#contract/conversations/message-search.ts";
import { savedRepliesApi } from "#contract/conversations/saved-replies.ts";
import { knowledgeUsesApi } from "#contract/knowledge/knowledge-uses.ts";
import { mediaApi } from "#contract/media.ts";
import type { ProblemBody } from "#contract/problem.ts";
import { sessionEnd } from "#server/accounts/auth/stream-end.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { disconnectSignal, parse, route } from "#server/platform/http/route.ts";
import {
  addFact,
  contactCard,
  editFact,
  mergeContact,
  removeFact,
  splitContact,
  updateContact,
} from "./contact/contact-card.ts";
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
import { knowledgeUses } from "./knowledge-uses.ts";
import { createLabel, listLabels, removeLabel } from "./labels.ts";
import { listAssignees } from "./member-names.ts";
import { sendOriginal } from "./message-media.ts";
import { addNote, editNote, listNotes, removeNote } from "./notes.ts";
import { personCandidates } from "./person.ts";
import { createSavedReply, editSavedReply, listSavedReplies, removeSavedReply } from "./saved-replies/saved-replies.ts";
import { searchMessages } from "./search-messages.ts";
import { snoozeTimes } from "./snooze.ts";
import { firstAnswer } from "./test-chat/first-answer.ts";
import { answerInTestChat, type ReplyEvent, type TestChatDeps } from "./test-chat/test-chat.ts";
import { conversationTranscript } from "./transcript.ts";

interface ConversationDeps extends TestChatDeps {
  files: FileStore;
  /** Words an error that occurs after the stream's headers were sent. */
  toProblemBody(error: unknown, requestId: string): ProblemBody;
}

export function mountConversationRoutes(app: FastifyInstance, deps: ConversationDeps): void {
  const { db } = deps;
  route(app, conversationsApi.list, ({ caller, query }) => listConversations(db, caller, query), { costly: true });
  route(app, messageSearchApi.find, ({ caller, query }) => searchMessages(db, caller, query), { costly: true });
  route(app, conversationsApi.totals, ({ caller }) => conversationTotals(db, caller));
  route(app, conversationsApi.create, ({ caller, input }) => openTestConversation(db, caller, input));
  route(app, conversationsApi.get, ({ caller, params }) => getConversation(db, caller, params.id));
  route(app, conversationsApi.update, ({ caller, params, input }) => updateConversation(db, caller, params.id, input));
  route(app, conversationsApi.remove, ({ caller, params }) => removeConversation(deps, caller, params.id));
  route(app, conversationsApi.read, ({ caller, params }) => markRead(db, caller, params.id));
  route(app, conversationsApi.assignees, ({ caller }) => listAssignees(db, caller.organizationId));
  route(app, actsApi.snoozeTimes, ({ caller }) => snoozeTimes(db, caller));
  route(app, labelsApi.list, ({ caller }) => listLabels(db, caller));
  route(app, labelsApi.create, ({ caller, input }) => createLabel(db, caller, input));
  route(app, labelsApi.remove, ({ caller, params }) => removeLabel(db, caller, params.id));
  route(app, savedRepliesApi.list, ({ caller }) => listSavedReplies(db, caller));
  route(app, savedRepliesApi.create, ({ caller, input }) => createSavedReply(db, caller, input));
  route(app, savedRepliesApi.edit, ({ caller, params, input }) => editSavedReply(db, caller, params.id, input));
  route(app, savedRepliesApi.remove, ({ caller, params }) => removeSavedReply(db, caller, params.id));
  route(app, contactsApi.card, ({ caller, params }) => contactCard(db, caller, params.id));
  route(app, contactsApi.update, ({ caller, params, input }) => updateContact(db, caller, params.id, input));
  route(app, contactsApi.candidates, ({ caller, params, query }) =>
    personCandidates(db, caller, params.id, query.q ?? ""),
  );
  route(app, contactsApi.merge, ({ caller, params, input }) =>
    mergeContact(deps, caller, params.id, input.conversationId),
  );
  route(app, contactsApi.split, ({ caller, params }) => splitContact(db, caller, params.id, params.otherId));
  route(app, contactsApi.addFact, ({ caller, params, input }) => addFact(db, caller, params.id, input));
  route(app, contactsApi.editFact, ({ caller, params, input }) => editFact(db, caller, params.id, input));
  route(app, contactsApi.removeFact, ({ caller, params }) => removeFact(db, caller, params.id));
  route(app, contactsApi.notes, ({ caller, params }) => listNotes(db, caller, params.id));
  route(app, contactsApi.addNote, ({ caller, params, input }) => addNote(db, caller, params.id, input));
  route(app, contactsApi.editNote, ({ caller, params, input }) => editNote(db, caller, params.id, input));
  route(app, contactsApi.removeNote, ({ caller, params }) => removeNote(db, caller, params.id));
  route(app, conversationsApi.messages, ({ caller, params, query }) =>
    conversationTranscript(db, caller, params.id, query),
  );
  route(
    app,
    mediaApi.original,
    ({ caller, params, request, reply }) => sendOriginal(deps, caller, params.id, request, reply) as never,
  );
  route(app, conversationsApi.feedback, ({ caller, params, input }) => rateReply(db, caller, Number(params.id), input));
  route(app, knowledgeUsesApi.list, ({ caller }) => knowledgeUses(db, caller), { costly: true });
  route(app, firstAnswerApi.create, ({ caller, params, input, request, reply }) => {
    const signal = AbortSignal.any([disconnectSignal(reply), sessionEnd(request)]);
    return firstAnswer(deps, caller, params.id, input, signal);
  });
  route(
    app,
    conversationsApi.generate,
    async ({ caller, input, request, reply }) => {
      const leaving = disconnectSignal(reply);
      const signedOut = sessionEnd(request);
      const newId = parse(NewConversationId, request.headers[CONVERSATION_HEADER]);
      const ends = { leaving: AbortSignal.any([leaving, signedOut]), stopping: app.cutOff };
      const events = answerInTestChat(deps, caller, { ...input, newId }, ends);
      // The search for sources is rate-limited; a model may then take its time.
      const { value: started } = await app.expensiveRequestLimiter.run(caller, leaving, () => events.next());
      if (request.headers.accept?.includes("text/event-stream")) {
        // Errors before this point get their own status; later ones are an `error` event. The header comes before the answer, so a reader
        // who stops it can continue the same conversation.
        if (started?.type === "started") reply.header(CONVERSATION_HEADER, started.conversationId);
        reply.header("content-type", "text/event-stream; charset=utf-8").header("x-accel-buffering", "no");
        return reply.send(Readable.from(eventStream(events, deps, request.id, { leaving, signedOut }))) as never;
      }
      for await (const event of events) if (event.type === "done") return event.reply;
      throw new Error("A reply ended without its last event");
    },
    { costly: "alone" },
  );
}

/** Yields `event: delta|done|error` lines of server-sent events (HTML standard). */
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
