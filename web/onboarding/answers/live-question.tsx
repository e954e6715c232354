import { type FormEvent, useState } from "react";
import type { Twin } from "#contract/twins.ts";
import { generationMessageOf } from "#web/api/api-error.ts";
import { Button } from "#web/ui/button.tsx";
import { ChatBubble, TypingDots } from "#web/ui/chat-bubble.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { toast } from "#web/ui/toasts/toast.ts";
import { useExchange, useLiveAnswer } from "../queries.ts";
import type { OnboardingAddress } from "../use-onboarding-address.ts";
import { AnswerOrigin } from "./answer-origin.tsx";

interface LiveQuestionProps extends Pick<OnboardingAddress, "conversationId" | "replyId" | "change"> {
  twin: Twin;
}

export function LiveQuestion({ twin, conversationId, replyId, change }: LiveQuestionProps) {
  const [message, setMessage] = useState("");
  const ask = useLiveAnswer(twin.id);
  const exchange = useExchange(conversationId, replyId).data;

  function submit(event: FormEvent) {
    event.preventDefault();
    const asked = message.trim();
    if (asked === "" || ask.isPending) return;
    setMessage("");
    ask.mutate(
      { message: asked, conversationId },
      {
        onSuccess: ({ conversationId, messageId }) => change({ talk: conversationId, reply: messageId, pair: null }),
        onError: (error) => {
          setMessage(asked);
          toast({ title: "Ошибка генерации", description: generationMessageOf(error), variant: "destructive" });
        },
      },
    );
  }

  const question = ask.isPending ? ask.variables.message : exchange?.question;
  return (
    <div className="flex flex-col gap-5">
      {question && (
        <ol aria-label="Вопрос и ответ" className="flex flex-col gap-3">
          <ChatBubble author="owner" authorLabel="Вы">
            {question}
          </ChatBubble>
          <ChatBubble author="twin" authorLabel={twin.name}>
            {ask.isPending || !exchange ? <TypingDots /> : exchange.answer}
          </ChatBubble>
        </ol>
      )}
      {question && exchange && !ask.isPending && (
        <p className="text-muted text-sm">
          <AnswerOrigin reply={exchange.origin} answer={exchange.answer} />
        </p>
      )}
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Field label="Ваш вопрос" hint="Спросите то, о чём вас спрашивают чаще всего.">
          <Textarea
            rows={2}
            maxLength={8000}
            placeholder="Когда вам удобно встретиться?"
            value={message}
            onChange={(event) => setMessage(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
          />
        </Field>
        <Button type="submit" className="self-start" busy={ask.isPending} disabled={message.trim() === ""}>
          Спросить
        </Button>
      </form>
    </div>
  );
}
