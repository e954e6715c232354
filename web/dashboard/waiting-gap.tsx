import { useMutation } from "@tanstack/react-query";
import { useLayoutEffect, useRef } from "react";
import { Link } from "wouter";
import type { Waiting } from "#contract/analytics.ts";
import type { CorrectionScope } from "#contract/correction-scope.ts";
import { gapsApi } from "#contract/gaps.ts";
import { call } from "#web/api/call.ts";
import { refreshAfter } from "#web/api/refresh.ts";
import { GapAnswerForm } from "#web/parts/gaps/gap-answer-form.tsx";
import { gapTitle } from "#web/parts/gaps/gap-title.ts";
import { useNearGaps } from "#web/parts/gaps/near-gaps.tsx";
import { useGaps } from "#web/parts/gaps/queries.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { scrollToOpened } from "#web/ui/layout/scroll-to-opened.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";

interface WaitingGapProps {
  gap: Waiting["gaps"]["first"][number];
  onClose: () => void;
}

/** The question that most people asked, below its row. The owner answers it here, for the askers or for all contacts. */
export default function WaitingGap({ gap, onClose }: WaitingGapProps) {
  const { twinId, gapId, question, said, people } = gap;
  const { after } = gapTitle(question, said);
  const place = useRef<HTMLDivElement>(null);
  const answer = useMutation({
    mutationFn: (texts: { question: string; text: string; scope: CorrectionScope; also?: string[] }) =>
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

  // What the dashboard's call does not tell of each gap.
  const { data: gaps } = useGaps(twinId, "open");
  const near = useNearGaps(gaps?.gaps.find(({ id }) => id === gapId)?.near ?? [], answer.isPending);
  const offersNear = Boolean(near.field);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the near gaps come later and make the form higher
  useLayoutEffect(() => {
    const row = place.current?.closest("li");
    if (row) scrollToOpened(row, "nearest");
  }, [offersNear]);

  function cancel() {
    place.current?.closest("li")?.querySelector("button")?.focus();
    onClose();
  }

  return (
    <div ref={place} className="px-4 pb-4 md:px-5">
      {after !== null && <p className="max-w-measure text-muted text-sm">После вопроса: {after}</p>}
      <GapAnswerForm
        key={gapId}
        people={people}
        question={question}
        readAbove={question}
        reply=""
        busy={answer.isPending}
        onAnswer={(scope, asked, text) =>
          answer.mutate({ question: asked, text, scope, ...(near.also.length > 0 ? { also: near.also } : {}) })
        }
        onCancel={cancel}
        otherActs={() => (
          <Button asChild variant="ghost" className="max-sm:flex-1">
            <Link href={paths.twinGaps(twinId)}>Все вопросы</Link>
          </Button>
        )}
      >
        {near.field}
      </GapAnswerForm>
    </div>
  );
}
