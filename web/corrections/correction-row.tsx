import { lazy, Suspense, useState } from "react";
import { type Correction, ruleInWords } from "#contract/corrections.ts";
import { formatRecent } from "#web/i18n/format.ts";
import { CASE_LABELS, KINDS, scopeInWords } from "#web/parts/corrections/correction-words.ts";
import { failed, useRemoveCorrection, useUpdateCorrection } from "#web/parts/corrections/queries.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Switch } from "#web/ui/forms/switch.tsx";
import { actionToast } from "#web/ui/toasts/action-toast.tsx";
import { toast } from "#web/ui/toasts/toast.ts";

const EditCorrectionDialog = lazy(() => import("./edit-correction-dialog.tsx"));

/** Whether a correction from one contact's conversation applies to every contact. */
export const isFromConversation = ({ scope, contactName }: Correction): boolean =>
  scope === "everybody" && contactName !== null;

interface CorrectionRowProps {
  twinId: string;
  correction: Correction;
  readOnly: boolean;
}

export function CorrectionRow({ twinId, correction, readOnly }: CorrectionRowProps) {
  const { id, kind, question, text, rules, scope, contactName, active, createdAt, case: kept } = correction;
  const [editing, setEditing] = useState(false);
  const update = useUpdateCorrection(twinId);
  const remove = useRemoveCorrection(twinId);
  const busy = readOnly || update.isPending || remove.isPending;
  const set = (change: { active?: boolean; caseKept?: boolean }) =>
    update.mutate({ correctionId: id, ...change }, { onError: failed });
  const narrow = () =>
    update.mutate(
      { correctionId: id, scope: "contact" },
      { onSuccess: () => toast({ title: "Теперь так двойник ответит только собеседнику" }), onError: failed },
    );

  function forget() {
    remove.mutate(id, {
      onSuccess: () => actionToast("Двойник это забыл", [{ label: "Вернуть", onPress: () => set({ active }) }]),
    });
  }

  const about = kind === "style" ? rules.map(ruleInWords).join("\n") : text;
  return (
    <li className="px-4 py-4 md:px-5">
      <div className="flex items-start justify-between gap-4">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-sm text-subtle">
          <Badge tone="primary">{KINDS[kind].name}</Badge>
          <Badge tone={isFromConversation(correction) ? "warning" : "neutral"}>
            {scopeInWords(scope, contactName)}
          </Badge>
          <span className="[overflow-wrap:anywhere]">
            {isFromConversation(correction) && `из разговора с собеседником ${contactName}, `}
            {formatRecent(createdAt)}
          </span>
        </p>
        <div className="flex shrink-0 items-center gap-2">
          <span className="text-muted text-sm">{active ? "Включено" : "Выключено"}</span>
          <Switch
            aria-label={`Учитывать: ${about.slice(0, 80)}`}
            checked={active}
            disabled={busy}
            onCheckedChange={(checked) => set({ active: checked })}
          />
        </div>
      </div>
      <div className="max-w-measure text-md [overflow-wrap:anywhere]">
        {kind !== "style" && <p className="mt-2 text-muted">{question}</p>}
        <p className="mt-1 whitespace-pre-line">{about}</p>
      </div>
      {kept && active && <Case kept={kept} />}
      <div className="-ms-2 mt-2 flex flex-wrap gap-x-1">
        {isFromConversation(correction) && (
          <RowButton disabled={busy} onClick={narrow}>
            Только для собеседника
          </RowButton>
        )}
        <RowButton disabled={busy} onClick={() => setEditing(true)}>
          Изменить
        </RowButton>
        <RowButton disabled={busy} onClick={() => set({ caseKept: kept === null })}>
          {kept ? "Больше не проверять" : "Проверять снова"}
        </RowButton>
        <RowButton disabled={busy} onClick={forget}>
          Забыть
        </RowButton>
      </div>
      <Suspense>
        {editing && <EditCorrectionDialog twinId={twinId} correction={correction} onClose={() => setEditing(false)} />}
      </Suspense>
    </li>
  );
}

function RowButton(props: { disabled: boolean; onClick: () => void; children: string }) {
  return <Button variant="ghost" size="sm" className="px-2! text-muted!" {...props} />;
}

/** Whether the twin still follows the correction; otherwise, its current answer. */
function Case({ kept: { state, reply, checkedAt } }: { kept: NonNullable<Correction["case"]> }) {
  const { text, tone } = CASE_LABELS[state];
  const fails = state === "broken" || state === "failed";
  return (
    <div className="mt-3 text-sm text-subtle">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={tone}>{text}</Badge>
        {checkedAt && <span>проверено {formatRecent(checkedAt)}</span>}
      </p>
      {fails && reply !== null && (
        <p className="mt-2 max-w-measure rounded-lg border p-3 text-fg text-md [overflow-wrap:anywhere]">
          <span className="block text-sm text-subtle">Теперь двойник отвечает</span>
          <span className="whitespace-pre-line">{reply}</span>
        </p>
      )}
    </div>
  );
}
