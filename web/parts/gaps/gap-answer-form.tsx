import type { ComponentProps } from "react";
import type { CorrectionScope } from "#contract/correction-scope.ts";
import { LONGEST_FACT } from "#contract/knowledge/chat-facts.ts";
import { sharedWithEveryoneText } from "../corrections/correction-words.ts";
import { maskObjection } from "../public-replies/mask-objection.ts";
import { PublicReplyForm } from "../public-replies/public-reply-form.tsx";

type FormProps = ComponentProps<typeof PublicReplyForm>;

interface GapAnswerFormProps
  extends Omit<
    FormProps,
    "limits" | "objection" | "questionHint" | "replyLabel" | "action" | "wider" | "note" | "onSubmit"
  > {
  /** Number of people who asked; 0 means that only the owner did, so that the answer can only be published. */
  people: number;
  onAnswer: (scope: CorrectionScope, question: string, text: string) => void;
}

/** The owner's answer to a gap: sent to the askers, and published only by a separate button. */
export function GapAnswerForm({ people, onAnswer, ...form }: GapAnswerFormProps) {
  const everybody = {
    label: "Ответить всем",
    note: sharedWithEveryoneText("Ответить всем", people),
    onSubmit: (question: string, text: string) => onAnswer("everybody", question, text),
  };
  const limits = { question: LONGEST_FACT.question, reply: LONGEST_FACT.text };
  const cancels = form.onCancel !== undefined;
  if (people === 0) {
    const { label, note, onSubmit } = everybody;
    const keyHint = cancels ? "Ctrl+Enter ответит всем, Esc вернёт назад" : "Ctrl+Enter ответит всем, кто спросит";
    return (
      <PublicReplyForm
        {...form}
        limits={limits}
        objection={maskObjection}
        action={{ label, keyHint }}
        note={note}
        onSubmit={onSubmit}
      />
    );
  }
  const asker = people === 1 ? "Ответить собеседнику" : "Ответить спросившим";
  const keyHint = cancels
    ? "Ctrl+Enter ответит только тем, кто спросил, Esc вернёт назад"
    : "Ctrl+Enter ответит только тем, кто спросил";
  return (
    <PublicReplyForm
      {...form}
      limits={limits}
      objection={maskObjection}
      replyLabel="Двойник ответит"
      action={{ label: asker, keyHint }}
      wider={everybody}
      onSubmit={(question, text) => onAnswer("contact", question, text)}
    />
  );
}
