/** State of this tab's chats, one per twin and one per conversation: messages, the text being typed, and the answer in progress. */

import { useSyncExternalStore } from "react";
import { conversationsApi, type Feedback } from "#contract/conversations/conversations.ts";
import type { MessageMedia } from "#contract/media.ts";
import { ApiError, generationMessageOf, messageOf } from "#web/api/api-error.ts";
import { authToken } from "#web/api/auth-token.ts";
import { refreshAfter } from "#web/api/refresh.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { AnswerCut, type ReadReply, requestReply } from "./request-reply.ts";

export interface ChatTurn {
  /** Id of the stored message; a negative number while only this browser tab knows the message. */
  id: number;
  role: "user" | "assistant";
  /** Present on a message on the twin's side that its owner wrote. */
  author?: "owner";
  content: string;
  media?: readonly MessageMedia[];
  /** What a letter quotes or passes on, and its signature. */
  quoted?: string;
  timestamp: string;
  reply?: ReadReply;
  /**
   * `stopped`: the user stopped the answer. `failed`: the message got no answer. A question's answer is `coming` in another tab, or was
   * `interrupted` with the server or the connection; the server keeps such a question.
   */
  state?: "stopped" | "failed" | "coming" | "interrupted";
  problem?: string;
  /** Earlier answers, which this one replaced when the question was asked again. */
  former?: readonly string[];
  durationMs?: number;
  feedback?: Feedback | null;
}

export interface ChatState {
  turns: readonly ChatTurn[];
  draft: string;
  /** The partial answer while one is streaming, "" before its first word; null when none is. */
  coming: string | null;
  /** Number of complete answers, whose change is announced to screen readers. */
  answers: number;
  /** Whether the twin really calls what changes data, instead of only showing it. */
  live: boolean;
  /** The conversation that the next message belongs to; undefined when it starts a new one. */
  conversationId: string | undefined;
  /** The conversation that the question being asked will create: it keeps the question if the answer is interrupted. */
  askedIn?: string | undefined;
}

export interface Chat {
  subscribe: (listener: () => void) => () => void;
  state: () => ChatState;
  setDraft: (draft: string) => void;
  /** Sends the draft. Does nothing while an answer is streaming or the draft is blank. */
  send: () => void;
  /** Sends another text and keeps the draft. Does nothing while an answer is streaming. */
  ask: (text: string) => void;
  stop: () => void;
  setLive: (live: boolean) => void;
  /** Asks the last message again. If that fails, the previous answer stays. */
  answerAgain: () => void;
  /** Continues this conversation with the next message, unless the chat already has one. */
  goOnIn: (conversationId: string) => void;
  /** Forgets a deleted conversation, so that the next message starts another. */
  leave: (conversationId: string) => void;
  /** Replaces the messages by those stored on the server, unless this tab has sent or received one since `readAt` (ms). */
  restore: (stored: readonly ChatTurn[], readAt: number) => void;
  setFeedback: (turnId: number, feedback: Feedback | null) => void;
}

/** Where a chat takes place. Without `conversationId` it is this tab's test chat, whose first message creates a conversation. */
interface ChatPlace {
  twinId: string;
  conversationId?: string;
}

export function useChat(place: ChatPlace): { chat: Chat; state: ChatState } {
  const chat = chatOf(place);
  return { chat, state: useSyncExternalStore(chat.subscribe, chat.state) };
}

const chats = new Map<string, Chat>();
let chatsOf: string | null = null;

function chatOf(place: ChatPlace): Chat {
  const token = authToken();
  if (token !== chatsOf) {
    // A new sign-in may be another user, who must not see these chats.
    chats.clear();
    chatsOf = token;
  }
  const key = place.conversationId ?? place.twinId;
  let chat = chats.get(key);
  if (!chat) {
    chat = createChat(place);
    chats.set(key, chat);
  }
  return chat;
}

let lastTurnId = 0;

function createChat({ twinId, conversationId: opened }: ChatPlace): Chat {
  const token = authToken();
  const listeners = new Set<() => void>();
  let state: ChatState = { turns: [], draft: "", coming: null, answers: 0, live: false, conversationId: opened };
  let changedAt = 0;
  let running: AbortController | undefined;

  function publish(change: Partial<ChatState>) {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  /** Requests an answer to `message`, the last turn of `before`. It is a repeated request when there are `former` answers. */
  async function answer(
    message: string,
    before: readonly ChatTurn[],
    former: readonly string[],
    onFailure: (failure: Failure) => void,
  ) {
    const again = former.length > 0;
    const controller = new AbortController();
    running = controller;
    publish({ turns: before, coming: "" });
    const paint = paintedOncePerFrame((coming) => {
      if (running === controller) publish({ coming });
    });
    let partial = "";
    let partialIn: string | undefined;
    try {
      const { conversationId, live } = state;
      const newId = conversationId === undefined ? newConversationId() : undefined;
      publish({ askedIn: newId });
      partialIn = newId;
      const input = {
        twinId,
        message,
        ...(conversationId ? { conversationId } : {}),
        ...(again ? { again } : {}),
        ...(live ? { live } : {}),
      };
      const onText = (text: string, answeredIn: string | undefined) => {
        if (authToken() !== token) controller.abort();
        partial = text;
        partialIn = answeredIn ?? newId;
        paint(text);
      };
      const reply = await requestReply(input, controller.signal, onText, newId);
      running = undefined;
      // The asking user has signed out: the answer must not be shown to another user.
      if (authToken() !== token) return;
      publish({
        conversationId: reply.conversationId ?? state.conversationId,
        turns: [...state.turns, { ...turn("assistant", reply.response), reply, ...(again ? { former } : {}) }],
        coming: null,
        answers: state.answers + 1,
      });
      toast({ title: "Ответ получен!", description: "AI агент сгенерировал ответ" });
    } catch (error) {
      running = undefined;
      const stopped = controller.signal.aborted;
      // The conversation may have been deleted elsewhere: the next message starts another.
      if (error instanceof ApiError && error.status === 404) publish({ conversationId: opened });
      // The server stores the visible part of a stopped answer, so the conversation continues from it.
      if (stopped && partial !== "") publish({ conversationId: partialIn ?? state.conversationId });
      const cut = error instanceof AnswerCut;
      if (cut) publish({ conversationId: partialIn ?? state.conversationId });
      if (!stopped && !cut)
        toast({ title: "Ошибка генерации", description: generationMessageOf(error), variant: "destructive" });
      onFailure({ stopped, cut, partial, problem: messageOf(error) });
    }
    changedAt = Date.now();
    // Refetches after a stopped answer too, because it is stored. The chat's own messages are current already.
    refreshAfter(conversationsApi.generate);
  }

  function failMessage(text: string, { stopped, cut, partial, problem }: Failure) {
    const turns = [...state.turns];
    if (cut) {
      publish({ turns: turns.with(-1, { ...turns.at(-1)!, state: "interrupted" }), coming: null });
      return;
    }
    if (stopped && partial !== "") {
      publish({ turns: [...turns, { ...turn("assistant", partial), state: "stopped" }], coming: null });
      return;
    }
    const asked = turns.pop();
    // An answer stopped before its first word returns the message to the input.
    if (asked && !(stopped && state.draft === "")) {
      turns.push({ ...asked, state: "failed", problem: stopped ? "Остановлено" : problem });
    }
    if (partial !== "") turns.push({ ...turn("assistant", partial), state: "failed" });
    publish({ turns, coming: null, draft: state.draft.trim() === "" ? text : state.draft });
  }

  function ask(text: string) {
    if (running) return;
    // An unanswered message is in the input again, so sending it once more replaces it. Any other one stays.
    const unanswered = state.turns.findLastIndex(({ role, state }) => role === "user" && isUnanswered(state));
    const isRepeated = state.turns[unanswered]?.content === text;
    const kept = isRepeated
      ? state.turns.filter((one, at) => at < unanswered || !isUnanswered(one.state))
      : state.turns;
    void answer(text, [...kept, turn("user", text)], [], (failure) => failMessage(text, failure));
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    state: () => state,
    setDraft: (draft) => publish({ draft }),
    send() {
      const text = state.draft.trim();
      if (running || text === "") return;
      publish({ draft: "" });
      ask(text);
    },
    ask,
    stop: () => running?.abort(),
    setLive: (live) => publish({ live }),
    answerAgain() {
      const asked = state.turns.findLastIndex(({ role }) => role === "user");
      const message = state.turns[asked]?.content;
      if (running || message === undefined) return;
      const former = state.turns;
      const replaced = former.slice(asked + 1).flatMap(({ content, former }) => [...(former ?? []), content]);
      const { state: _, ...question } = former[asked]!;
      void answer(message, [...former.slice(0, asked), question], replaced, ({ stopped, partial }) => {
        const cut = { ...turn("assistant", partial), state: "stopped" as const, former: replaced };
        publish({ turns: stopped && partial !== "" ? [...state.turns, cut] : former, coming: null });
      });
    },
    goOnIn(conversationId) {
      if (state.conversationId === undefined) publish({ conversationId });
    },
    leave(conversationId) {
      if (state.conversationId === conversationId) publish({ conversationId: opened });
    },
    restore(stored, readAt) {
      if (running || readAt < changedAt) return;
      // Known answers keep their ids, so that an open correction at an answer stays open.
      const known = new Map(state.turns.map(({ reply, id }) => [reply?.messageId, id]));
      const kept = stored.map((turn) => ({ ...turn, id: (turn.reply && known.get(turn.reply.messageId)) ?? turn.id }));
      // The server keeps an interrupted question for this tab too, unless it was killed before it could.
      const isKept = kept.some(({ state }) => state === "coming" || state === "interrupted");
      const own = isKept ? [] : state.turns.filter((one) => one.state === "failed" || one.state === "interrupted");
      publish({ turns: [...kept, ...own] });
    },
    setFeedback(turnId, feedback) {
      changedAt = Date.now();
      publish({ turns: state.turns.map((one) => (one.id === turnId ? { ...one, feedback } : one)) });
    },
  };
}

/** Absent in a page that is not served securely, whose browser has no such ids. */
const newConversationId = (): string | undefined => crypto.randomUUID?.();

const isUnanswered = (state: ChatTurn["state"]): boolean =>
  state === "failed" || state === "coming" || state === "interrupted";

interface Failure {
  stopped: boolean;
  /** The connection broke: the server keeps the question. */
  cut: boolean;
  partial: string;
  problem: string;
}

function turn(role: ChatTurn["role"], content: string): ChatTurn {
  lastTurnId -= 1;
  return { id: lastTurnId, role, content, timestamp: new Date().toISOString() };
}

/** Limits rendering to once per frame, however fast words arrive. */
function paintedOncePerFrame(draw: (text: string) => void): (text: string) => void {
  let latest = "";
  let due = false;
  return (text) => {
    latest = text;
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      draw(latest);
    });
  };
}
