import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { FirstAnswer } from "#contract/conversations/first-answer.ts";
import { type CorrectionInput, correctionsApi } from "#contract/corrections.ts";
import { call } from "#web/api/call.ts";
import { useAccept, useCorrections, useRemoveCorrection } from "#web/parts/corrections/queries.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { askFirst, askInTestChat, firstAnswerKey } from "./queries.ts";

/** Value in the URL until the pair that the twin knows least about is known. */
export const ANY_PAIR = "any";

/** Prefix of a question from outside the history, used in place of a pair's id. */
const QUESTION = "?";

export const teachIdOf = ({ pair, question = "" }: Pick<FirstAnswer, "pair" | "question">): string =>
  pair?.id ?? `${QUESTION}${question}`;

interface Asked {
  teachId: string;
  /** The pair shown first, which must not be shown again. */
  pairId: string;
  conversationId: string;
}

/** Loads the pair in the URL with its answer, or the pair that the twin knows least about, answered in the same test chat. */
export function useWeakestAnswer(twinId: string, { teachId, pairId, conversationId }: Asked) {
  const client = useQueryClient();
  const known = teachId !== ANY_PAIR;
  return useQuery({
    queryKey: known ? firstAnswerKey(twinId, teachId) : ["weakest-answer", twinId, pairId],
    queryFn: async ({ signal }) => {
      const answer = teachId.startsWith(QUESTION)
        ? await askInTestChat(conversationId, (chat) =>
            askFirst(twinId, { show: "this", question: teachId.slice(QUESTION.length), ...chat }, signal),
          )
        : known
          ? await askFirst(twinId, { show: "this", pairId: teachId }, signal)
          : await askInTestChat(conversationId, (chat) =>
              askFirst(twinId, { show: "weakest", ...(pairId ? { pairId } : {}), ...chat }, signal),
            );
      if (answer.reply) client.setQueryData(firstAnswerKey(twinId, teachIdOf(answer)), answer);
      return answer;
    },
    // Without a pair in the URL each request returns another question, so nothing is cached.
    ...(known ? {} : { gcTime: 0 }),
  });
}

type Shown = Partial<Pick<FirstAnswer, "pair" | "question" | "reply" | "taught">> & { correctionId: string };

/** Proposes, saves and undoes a correction from the owner's answer. `change` receives the correction's id, "" once it is undone. */
export function useAcceptCorrection(
  twinId: string,
  { pair = null, question, reply, taught = false, correctionId }: Shown,
  change: (id: string) => void,
) {
  const client = useQueryClient();
  const accept = useAccept(twinId);
  const remove = useRemoveCorrection(twinId);
  const corrections = useCorrections(twinId, null);
  // The correction may have been undone or reworded elsewhere since.
  const correction = corrections.data?.corrections.find(({ id, active }) => id === correctionId && active);
  const learnt = correctionId === "" ? taught : correction !== undefined || corrections.isPending;
  const from = { kind: "message", id: reply?.messageId ?? "" } as const;
  const ownerReply = pair?.ownerReply ?? "";
  const proposal = useQuery({
    queryKey: ["correction-proposal", twinId, from.id],
    queryFn: () => call(correctionsApi.propose, { params: { id: twinId }, input: { from, correction: ownerReply } }),
    enabled: pair !== null && reply !== undefined && reply !== null && !learnt,
  });

  function keep(id: string) {
    if (reply) {
      client.setQueryData(firstAnswerKey(twinId, teachIdOf({ pair, question })), (answer: FirstAnswer | undefined) =>
        answer === undefined ? answer : { ...answer, taught: id !== "" },
      );
    }
    change(id);
  }

  return {
    learnt,
    /** undefined when the correction was made elsewhere or is not loaded yet. */
    correction,
    proposal,
    accept,
    remove,
    teach: (input: Omit<CorrectionInput, "from">) =>
      accept.mutate({ from, ...input }, { onSuccess: ({ id }) => keep(id) }),
    takeBack: () =>
      remove.mutate(correctionId, {
        onSuccess: () => {
          keep("");
          toast({ title: "Двойник это забыл" });
        },
      }),
  };
}
