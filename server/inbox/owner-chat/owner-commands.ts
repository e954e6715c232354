/** Carries out a member's actions in his own chat with a bot: opening the link, pressing a draft's button, writing another text. */
import { and, eq } from "drizzle-orm";
import { ActAnswer } from "#contract/actions/acts.ts";
import { ApprovalEdit } from "#contract/conversations/approvals.ts";
import { findMember } from "#server/accounts/auth/sessions.ts";
import { type ActDeps, answerAct, approveAct, rejectAct, requireQuestion } from "#server/inbox/actions/decide-act.ts";
import { approve, draftChanged, reject, requireDraft } from "#server/inbox/approvals/approvals.ts";
import type { ButtonPress, Inbound, OwnerChatTransport } from "#server/inbox/channel-protocol/channel.ts";
import { isLinkCode } from "#server/inbox/incoming/chats-of-owners.ts";
import type { ReceivingIntegration } from "#server/inbox/incoming/receiving-integration.ts";
import { asTenant, type Database } from "#server/platform/db/database.ts";
import { ownerNotices } from "#server/platform/db/schema/owner-notices.ts";
import { Problem } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { type CardAction, readButton } from "./draft-card.ts";
import { bindOwnerChat, endOwnerChat, findOwnerChat, type OwnerChatRow } from "./owner-chat.ts";

export interface OwnerDeps extends ActDeps {
  jobs: Jobs;
}

const LINKED =
  "Готово. Сюда приходят черновики двойника: их можно отправить, изменить или отклонить. Собеседники этого чата не видят.";
const LINK_OVER = "Ссылка устарела или уже использована. Создайте новую на странице интеграции.";
const HINT =
  "Здесь вы решаете по черновикам. Чтобы отправить собеседнику свой текст, нажмите «Изменить» под черновиком и ответьте на вопрос бота.";
const ASK = "Напишите ответом на это сообщение новый текст: он уйдёт собеседнику вместо черновика.";
const ASK_ANSWER = "Напишите ответом на это сообщение, что ответить собеседнику: он получит ваши слова.";
const UNLINKED = "Этот чат отвязан: у вас больше нет прав решать по черновикам этого двойника.";
const NOT_YOURS = "Эта кнопка не для вас";
const NO_DRAFT = "Этого черновика больше нет";
const NO_TEXT = "Нужен текст: вложение отправить отсюда нельзя. Ответьте ещё раз на вопрос бота.";
const SENDS = "Ваш текст отправляется.";

type NoticeRow = typeof ownerNotices.$inferSelect;
type Sender = { chat: OwnerChatRow; caller: Caller };

/** Nothing from the chat is trusted: the chat, the user and his rights are checked each time. */
export async function handlePress(
  deps: OwnerDeps,
  integration: ReceivingIntegration,
  ownerChat: OwnerChatTransport,
  { press }: ButtonPress,
): Promise<void> {
  const { id, chat: chatId, by, messageId, data } = press;
  const button = readButton(data);
  const sender = by === chatId ? await senderOf(deps.db, integration, chatId) : null;
  const refuse = (text: string) => ownerChat.answerPress(id, text, true);
  if (sender === null || button === null) return refuse(NOT_YOURS);
  if (sender === "ended") return refuse(UNLINKED);
  const { chat, caller } = sender;
  const notice = await noticeOf(deps.db, caller, chat, button.noticeId);
  if (notice === null || (notice.outboxId === null && notice.actId === null)) return refuse(NO_DRAFT);
  const failure = notice.messageIds.includes(messageId)
    ? await failureOf(() => decide(deps, caller, notice, button.verb))
    : await lookAgain(deps.db, caller, notice, messageId);
  await showAnew(deps, caller, chat);
  if (failure !== null) return refuse(failure);
  await ownerChat.answerPress(id, (notice.actId === null ? DONE : ACT_DONE)[button.verb], false);
  if (button.verb === "edit") await ask(deps, caller, ownerChat, chat, notice);
}

const DONE: Record<CardAction, string> = {
  send: "Отправляем",
  edit: "Напишите новый текст",
  reject: "Черновик отклонён",
};

const ACT_DONE: Record<CardAction, string> = { ...DONE, send: "Вызвано", reject: "Действие отклонено" };

async function decide(
  deps: OwnerDeps,
  caller: Caller,
  { outboxId, actId, version }: NoticeRow,
  verb: CardAction,
): Promise<void> {
  if (actId !== null) {
    // An act is decided once, and nothing in it can be changed meanwhile.
    if (verb === "edit") await requireQuestion(deps.db, caller, actId);
    else await (verb === "send" ? approveAct(deps, caller, actId) : rejectAct(deps, caller, actId));
    return;
  }
  if (outboxId === null) throw new Problem(404, "approval_not_found", NO_DRAFT);
  const { db, jobs } = deps;
  const shown = version ?? "";
  if (verb === "send") await approve({ db, jobs }, caller, outboxId, { shown });
  else if (verb === "reject") await reject({ db, jobs }, caller, outboxId, { shown });
  else await requireDraft(db, caller, outboxId, shown);
}

/** A message whose delivery was unknown has arrived, because its button was pressed: it is updated first. */
async function lookAgain(
  db: Database,
  caller: Caller,
  { id, messageIds }: NoticeRow,
  messageId: string,
): Promise<string> {
  await asTenant(db, caller, (tx) =>
    tx
      .update(ownerNotices)
      .set({ messageIds: [...messageIds, messageId], version: null, closedAt: null })
      .where(eq(ownerNotices.id, id)),
  );
  return draftChanged().message;
}

async function noticeOf(db: Database, caller: Caller, chat: OwnerChatRow, id: string): Promise<NoticeRow | null> {
  const [notice] = await asTenant(db, caller, (tx) =>
    tx
      .select()
      .from(ownerNotices)
      .where(and(eq(ownerNotices.id, id), eq(ownerNotices.ownerChatId, chat.id))),
  );
  return notice ?? null;
}

async function ask(
  { db }: OwnerDeps,
  caller: Caller,
  ownerChat: OwnerChatTransport,
  chat: OwnerChatRow,
  { id: noticeId, actId }: NoticeRow,
) {
  const asked = await ownerChat.say(chat.chatId!, actId === null ? ASK : ASK_ANSWER, true);
  const [askedIn] = asked.externalIds;
  if (askedIn === undefined) return;
  await asTenant(db, caller, (tx) => tx.update(ownerNotices).set({ askedIn }).where(eq(ownerNotices.id, noticeId)));
}

/** A member's text in this chat is never a contact's message. */
export async function handleOwnerMessage(
  deps: OwnerDeps,
  integration: ReceivingIntegration,
  ownerChat: OwnerChatTransport,
  { conversation: chatId, peer, text, toBot }: Inbound,
): Promise<void> {
  const say = (words: string) => ownerChat.say(chatId, words);
  if (isLinkCode(toBot?.code)) {
    const name = peer.handle === undefined ? peer.name : `${peer.name} (${peer.handle})`;
    const chat = await bindOwnerChat(deps.db, integration, toBot.code, { id: chatId, name });
    await say(chat === null ? LINK_OVER : LINKED);
    return;
  }
  const sender = await senderOf(deps.db, integration, chatId);
  if (sender === null) return;
  if (sender === "ended") {
    await say(UNLINKED);
    return;
  }
  const { chat, caller } = sender;
  const asked = toBot?.replyTo === undefined ? undefined : await askedFor(deps.db, caller, chat, toBot.replyTo);
  if (asked === undefined) {
    await say(HINT);
    return;
  }
  const edit = ApprovalEdit.safeParse({ text });
  if (!edit.success) {
    await say(text === "" ? NO_TEXT : edit.error.issues[0]!.message);
    return;
  }
  const failure = await failureOf(async () => {
    if (asked.actId !== null) {
      const answer = ActAnswer.safeParse({ text });
      if (!answer.success) throw new Problem(400, "invalid_input", answer.error.issues[0]!.message);
      await answerAct(deps, caller, asked.actId, answer.data);
      return;
    }
    if (asked.outboxId === null) throw new Problem(404, "approval_not_found", NO_DRAFT);
    await approve(deps, caller, asked.outboxId, { text: edit.data.text });
  });
  await showAnew(deps, caller, chat);
  await say(failure ?? SENDS);
}

/** Returns the chat's member while he may decide; `ended`: he no longer may, and the chat is unlinked. */
async function senderOf(
  db: Database,
  integration: ReceivingIntegration,
  chatId: string,
): Promise<Sender | "ended" | null> {
  const chat = await asTenant(db, integration, (tx) => findOwnerChat(tx, integration.id, chatId));
  if (chat === null) return null;
  const caller = await findMember(db, { ...integration, userId: chat.userId });
  if (caller !== null && caller.role !== "viewer") return { chat, caller };
  await asTenant(db, integration, (tx) => endOwnerChat(tx, chat, "Чат для решений по черновикам отвязан"));
  return "ended";
}

async function askedFor(db: Database, caller: Caller, { id }: OwnerChatRow, messageId: string) {
  const [notice] = await asTenant(db, caller, (tx) =>
    tx
      .select({ outboxId: ownerNotices.outboxId, actId: ownerNotices.actId })
      .from(ownerNotices)
      .where(and(eq(ownerNotices.ownerChatId, id), eq(ownerNotices.askedIn, messageId))),
  );
  return notice;
}

/** Updates the chat at once instead of with the next sweep. */
async function showAnew({ db, jobs }: OwnerDeps, caller: Caller, { id }: OwnerChatRow): Promise<void> {
  const { organizationId, userId } = caller;
  await asTenant(db, caller, (tx) => jobs.enqueue(tx, "notify-owner", { organizationId, userId, ownerChatId: id }));
}

/** Replies to the member who pressed the button; only unexpected errors propagate. */
async function failureOf(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}
