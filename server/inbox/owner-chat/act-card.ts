/** The card of an act in its owner's chat: what will be called with what; later the outcome. */
import type { ActState } from "#contract/actions/acts.ts";
import { PLATFORM_NAMES } from "#contract/integrations/platform-names.ts";
import type { ChannelPlatform } from "#contract/platforms.ts";
import type { Card } from "#server/inbox/channel-protocol/channel.ts";
import { buttonOf, cut } from "./draft-card.ts";

export interface ShownAct {
  title: string;
  contactName: string;
  twinName: string;
  platform: ChannelPlatform;
  state: ActState;
  target: string | null;
  arguments: readonly { label: string; value: string }[];
  result: readonly { label: string; value: string }[];
  question: string | null;
  ownerQuestion: string | null;
  reason: string | null;
}

const SHORT_CHARS = 120;
/** Arguments and results that a card shows; a tool has at most twelve fields and three proofs. */
const MOST_LINES = 15;
const QUESTION_CHARS = 700;

const named = (lines: ShownAct["arguments"]) =>
  lines.slice(0, MOST_LINES).map(({ label, value }) => ({ label: cut(label, 60), text: cut(value, SHORT_CHARS) }));

/** @param doubtful whether an earlier message with the same act may already be in the chat */
export function actCard(act: ShownAct, noticeId: string, doubtful: boolean): Card {
  const { title, contactName, twinName, platform, state, target, question, ownerQuestion, reason } = act;
  const waits = state === "waiting-owner";
  return {
    title: TITLES[state],
    lines: [
      { label: "Действие", text: cut(title, SHORT_CHARS) },
      ...named(act.arguments),
      ...(target === null ? [] : [{ label: "Куда", text: cut(target, SHORT_CHARS) }]),
      { label: "Собеседник", text: `${cut(contactName, SHORT_CHARS)}, ${PLATFORM_NAMES[platform]}` },
      { label: "Двойник", text: cut(twinName, SHORT_CHARS) },
      ...(state === "done" ? named(act.result) : []),
      ...(waits || state === "done" || reason === null ? [] : [{ label: "Почему", text: cut(reason, 300) }]),
      ...(waits && doubtful ? [{ label: "Повтор", text: "прошлое сообщение могло не дойти" }] : []),
    ],
    quotes:
      ownerQuestion !== null
        ? [{ label: "Вопрос к вам", text: cut(ownerQuestion, QUESTION_CHARS) }]
        : question === null
          ? []
          : [{ label: "Собеседник ответил «да» на вопрос", text: cut(question, QUESTION_CHARS) }],
    buttons: waits
      ? [
          ownerQuestion === null ? buttonOf("Выполнить", "send", noticeId) : buttonOf("Ответить", "edit", noticeId),
          buttonOf("Отклонить", "reject", noticeId),
        ]
      : [],
  };
}

const TITLES: Record<ActState, string> = {
  proposed: "Действие ждёт собеседника",
  "waiting-customer": "Действие ждёт собеседника",
  "waiting-owner": "Действие ждёт решения",
  calling: "Действие выполняется",
  done: "Действие выполнено",
  refused: "Действие отклонено",
  failed: "Действие не выполнено",
  unknown: "Неизвестно, выполнено ли действие: проверьте у себя",
};
