import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { Link } from "wouter";
import type { Waiting } from "#contract/analytics.ts";
import type { CorrectionScope } from "#contract/correction-scope.ts";
import { gapsApi } from "#contract/gaps.ts";
import { call } from "#web/api/call.ts";
import { refreshAfter } from "#web/api/refresh.ts";
import { GapAnswerForm } from "#web/parts/gaps/gap-answer-form.tsx";
import { paths } from "#web/paths.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";

interface WaitingGapProps {
  gap: Waiting["gaps"]["first"][number];
  onClose: () => void;
}

/** The question that most people asked, below its row. The owner answers it here, for the askers or for all contacts. */
export default function WaitingGap({ gap, onClose }: WaitingGapProps) {
  const { twinId, gapId, question, people } = gap;
  const place = useRef<HTMLDivElement>(null);
  const answer = useMutation({
    mutationFn: (texts: { question: string; text: string; scope: CorrectionScope }) =>
      call(gapsApi.decide, { params: { id: twinId, gapId }, input: { decision: "answer", ...texts } }),
    // The question may have been decided in another window.
    onError: (error) => {
      refreshAfter(gapsApi.decide);
      toastError("Не удалось")(error);
    },
    onSuccess: (_, { scope }) => {
      toast({
        title: "Ответ сохранён",
        description:
          scope === "everybody" ? "Двойник ответит так всем, кто спросит." : "Двойник ответит так тем, кто спросил.",
      });
      // The row disappears, so the section takes the focus.
      place.current?.closest("section")?.focus();
      onClose();
    },
  });

  function cancel() {
    place.current?.closest("li")?.querySelector("button")?.focus();
    onClose();
  }

  return (
    <div ref={place} className="px-4 pt-3 pb-4 md:px-5">
      <p className="mb-2 text-md">
        <Link href={paths.twinGaps(twinId)} className="text-primary-text underline underline-offset-4">
          Все вопросы
        </Link>
      </p>
      <GapAnswerForm
        key={gapId}
        people={people}
        question={question}
        reply=""
        busy={answer.isPending}
        onAnswer={(scope, asked, text) => answer.mutate({ question: asked, text, scope })}
        onCancel={cancel}
      />
    </div>
  );
}
