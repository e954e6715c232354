/** Acts on one or several conversations: a dialog asks for choices, a toast reports the result and offers to undo it. */
import { createContext, lazy, type ReactNode, Suspense, useContext, useMemo, useState } from "react";
import { ACTS_AT_ONCE, type ConversationAct } from "#contract/conversations/acts.ts";
import type { Label } from "#contract/conversations/conversations.ts";
import { plural } from "#web/i18n/plural.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { actionToast } from "#web/ui/toasts/action-toast.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { isSnoozed, type ShownConversation } from "../shown-conversation.ts";
import { actOn } from "./queries.ts";

const SnoozeDialog = lazy(() => import("./snooze-dialog.tsx"));
const LabelDialog = lazy(() => import("./label-dialog.tsx"));
const KeysDialog = lazy(() => import("./keys-dialog.tsx"));

type OpenDialog = "snooze" | "label" | "keys";

export interface Failure {
  conversation: ShownConversation;
  reason: string;
}

export interface Triage {
  may: boolean;
  busy: boolean;
  failures: readonly Failure[];
  forgetFailures: () => void;
  ask: (what: OpenDialog, conversations?: readonly ShownConversation[]) => void;
  close: (conversations: readonly ShownConversation[]) => Promise<void>;
  handBack: (conversations: readonly ShownConversation[]) => Promise<void>;
  bringBack: (conversation: ShownConversation) => Promise<void>;
  dialogs: ReactNode;
}

/** Value for places where conversations cannot be changed. */
export const NO_TRIAGE: Pick<Triage, "may" | "ask" | "bringBack"> = {
  may: false,
  ask: () => {},
  bringBack: async () => {},
};
export const TriageContext = createContext(NO_TRIAGE);
export const useTriageOf = () => useContext(TriageContext);

const ofSeveral = (count: number, done: readonly [one: string, few: string, many: string], one: string) =>
  count === 1 ? one : plural(count, done);

interface Told {
  done: (count: number) => string;
  /** Returns the act that undoes this one; null when nothing has changed there. When absent, the act cannot be undone. */
  undo?: (conversation: ShownConversation) => ConversationAct | null;
}

/** @param onDone receives the ids of the changed conversations */
export function useTriage(onDone: (ids: readonly string[]) => void): Triage {
  const may = useReadOnly() === null;
  const [asked, setAsked] = useState<{ what: OpenDialog; conversations: readonly ShownConversation[] } | null>(null);
  const [busy, setBusy] = useState(false);
  const [failures, setFailures] = useState<readonly Failure[]>([]);
  const dismiss = () => setAsked(null);

  async function run(conversations: readonly ShownConversation[], act: ConversationAct, { done, undo }: Told) {
    setBusy(true);
    try {
      const reasons = await reasonsAfter(conversations, act);
      const failed = conversations.filter(({ id }) => reasons.has(id));
      const acted = conversations.filter(({ id }) => !reasons.has(id));
      setFailures(failed.map((conversation) => ({ conversation, reason: reasons.get(conversation.id)! })));
      onDone(acted.map(({ id }) => id));
      if (acted.length === 0) return;
      const takenBack = undo ? acted.flatMap((one) => undo(one) ?? []).length > 0 : false;
      actionToast(
        done(acted.length),
        undo && takenBack ? [{ label: "Отменить", onPress: () => void takeBack(acted, undo) }] : [],
      );
    } catch (error) {
      toastError("Не удалось")(error);
    } finally {
      setBusy(false);
    }
  }

  const close = (conversations: readonly ShownConversation[]) =>
    run(
      conversations.filter(({ isActive }) => isActive),
      { kind: "close" },
      {
        done: (count) => ofSeveral(count, ["диалог закрыт", "диалога закрыты", "диалогов закрыты"], "Диалог закрыт"),
        undo: () => ({ kind: "reopen" }),
      },
    );
  const handBack = (conversations: readonly ShownConversation[]) =>
    run(
      conversations,
      { kind: "hand-back" },
      {
        done: (count) =>
          ofSeveral(
            count,
            ["диалог снова ведёт двойник", "диалога снова ведёт двойник", "диалогов снова ведёт двойник"],
            "Диалог снова ведёт двойник",
          ),
      },
    );
  const snooze = (conversations: readonly ShownConversation[], until: string, when: string) =>
    run(
      conversations,
      { kind: "snooze", until },
      {
        done: (count) =>
          `${ofSeveral(count, ["диалог отложен", "диалога отложены", "диалогов отложены"], "Диалог отложен")} до ${when}`,
        undo: (one) => (isSnoozed(one) ? { kind: "snooze", until: one.snoozedUntil! } : { kind: "return" }),
      },
    );
  const bringBack = (conversation: ShownConversation) =>
    run(
      [conversation],
      { kind: "return" },
      {
        done: () => "Диалог снова в списке",
        undo: ({ snoozedUntil }) => (snoozedUntil ? { kind: "snooze", until: snoozedUntil } : null),
      },
    );
  const label = (conversations: readonly ShownConversation[], { id: labelId, name }: Label, has: boolean) =>
    run(
      conversations.filter(({ labels }) => labels.some(({ id }) => id === labelId) !== has),
      { kind: has ? "label" : "unlabel", labelId },
      {
        done: () => (has ? `Метка «${name}» поставлена` : `Метка «${name}» снята`),
        undo: () => ({ kind: has ? "unlabel" : "label", labelId }),
      },
    );

  const ask: Triage["ask"] = (what, conversations = []) => {
    if (what !== "keys" && (!may || conversations.length === 0)) return;
    setFailures([]);
    setAsked({ what, conversations });
  };
  const dialogs = asked && (
    <Suspense>
      {asked.what === "keys" && <KeysDialog onClose={dismiss} />}
      {asked.what === "snooze" && (
        <SnoozeDialog
          count={asked.conversations.length}
          onChoose={(until, when) => {
            dismiss();
            void snooze(asked.conversations, until, when);
          }}
          onClose={dismiss}
        />
      )}
      {asked.what === "label" && (
        <LabelDialog
          conversations={asked.conversations}
          onChoose={(chosen, has) => {
            dismiss();
            void label(asked.conversations, chosen, has);
          }}
          onClose={dismiss}
        />
      )}
    </Suspense>
  );
  return { may, busy, failures, forgetFailures: () => setFailures([]), ask, close, handBack, bringBack, dialogs };
}

/** Performs the act and returns the reasons for failure by id. When the only conversation fails, it throws. */
async function reasonsAfter(conversations: readonly ShownConversation[], act: ConversationAct) {
  const reasons = new Map<string, string>();
  for (let from = 0; from < conversations.length; from += ACTS_AT_ONCE) {
    const ids = conversations.slice(from, from + ACTS_AT_ONCE).map(({ id }) => id);
    for (const { id, problem } of await actOn(ids, act)) if (problem) reasons.set(id, problem.message);
  }
  return reasons;
}

/** Undoes the act; conversations that return to the same state share one call. */
async function takeBack(conversations: readonly ShownConversation[], undo: NonNullable<Told["undo"]>) {
  const groups = new Map<string, ShownConversation[]>();
  for (const conversation of conversations) {
    const act = JSON.stringify(undo(conversation));
    groups.set(act, [...(groups.get(act) ?? []), conversation]);
  }
  groups.delete("null");
  try {
    for (const [act, group] of groups) await reasonsAfter(group, JSON.parse(act) as ConversationAct);
  } catch (error) {
    toastError("Не удалось вернуть")(error);
  }
}

/** The part that rows and the thread need. It changes only when they must render something else. */
export function useTriageValue({ may, ask, bringBack }: Triage) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the functions of any render do the same
  return useMemo(() => ({ may, ask, bringBack }), [may]);
}
