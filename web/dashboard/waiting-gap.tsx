import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import type { Waiting } from "#contract/analytics.ts";
import { gapsApi } from "#contract/gaps.ts";
import { LONGEST_FACT } from "#contract/knowledge/chat-facts.ts";
import { call } from "#web/api/call.ts";
import { refreshAfter } from "#web/api/refresh.ts";
import { maskObjection } from "#web/parts/public-replies/mask-objection.ts";
import { PublicReplyForm } from "#web/parts/public-replies/public-reply-form.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";

interface WaitingGapProps {
  gap: Waiting["gaps"]["first"][number];
  onClose: () => void;
}

/** The question that most people asked, under its row: answered from here once for all. */
export default function WaitingGap({ gap, onClose }: WaitingGapProps) {
  const { twinId, gapId, question } = gap;
  const place = useRef<HTMLDivElement>(null);
  const answer = useMutation({
    mutationFn: (texts: { question: string; text: string }) =>
      call(gapsApi.decide, { params: { id: twinId, gapId }, input: { decision: "answer", ...texts } }),
    // It may have been decided on in another window.
    onError: (error) => {
      refreshAfter(gapsApi.decide);
      toastError("Не удалось")(error);
    },
    onSuccess: () => {
      toast({ title: "Ответ сохранён", description: "Двойник ответит так всем, кто спросит." });
      // The row goes.
      place.current?.closest("section")?.focus();
      onClose();
    },
  });

  function cancel() {
    place.current?.closest("li")?.querySelector("button")?.focus();
    onClose();
  }

  return (
    <div ref={place} className="px-4 pb-4 md:px-5">
      <PublicReplyForm
        key={gapId}
        question={question}
        reply=""
        limits={{ question: LONGEST_FACT.question, reply: LONGEST_FACT.text }}
        objection={maskObjection}
        action={{ label: "Ответить всем", keyHint: "Ctrl+Enter ответит, Esc вернёт назад" }}
        busy={answer.isPending}
        onSubmit={(asked, text) => answer.mutate({ question: asked, text })}
        onCancel={cancel}
      />
    </div>
  );
}
