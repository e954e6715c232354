import { useState } from "react";
import { Link } from "wouter";
import type { ActFigures } from "#contract/actions/acts.ts";
import { tellsUnchosen } from "#contract/actions/tool-settings.ts";
import type { Tool } from "#contract/actions/tools.ts";
import { paths } from "#web/paths.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Switch } from "#web/ui/forms/switch.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import { toast } from "#web/ui/toasts/toast.ts";
import { wordsOf } from "./kind-words.ts";
import { useRemoveTool, useSwitchTool } from "./queries.ts";
import { degrees, figuresText } from "./tool-words.ts";

/** Whether it may not be switched on yet, because nothing says what it reports, or whom its result concerns. */
const isUnfinished = ({ enabled, changes, proof, settings }: Tool): boolean =>
  !changes &&
  ((!proof.everybody && proof.channelPhone === null && proof.asked.length === 0) ||
    (!enabled && tellsUnchosen(settings)));

interface ToolRowProps {
  tool: Tool;
  figures: ActFigures["tools"][number] | undefined;
}

export function ToolRow({ tool, figures }: ToolRowProps) {
  const { id, twinId, title, description, enabled, degree, changes, settings, offReason } = tool;
  const [turn, remove] = [useSwitchTool(), useRemoveTool()];
  const [asking, setAsking] = useState(false);
  // Shown as it was pressed while the server still saves it.
  const isOn = turn.isPending ? turn.variables.enabled : enabled;
  const words = wordsOf(settings.kind);
  const failure = words.failureOf(settings) ?? offReason;
  return (
    <li className="flex items-start justify-between gap-x-6 gap-y-3 py-4 max-sm:flex-col">
      <div className="min-w-0 max-w-measure [overflow-wrap:anywhere]">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="text-base">{title}</h2>
          <Badge tone={isOn ? "success" : "neutral"}>{isOn ? "Включено" : "Выключено"}</Badge>
          <Badge tone={degree === "asks" ? "info" : "neutral"}>{degrees[degree].name}</Badge>
        </div>
        {description !== "" && <p className="mt-1 text-md">{description}</p>}
        <p className="mt-1 text-muted text-sm">{words.placeOf(settings)}</p>
        <p className="text-muted text-sm tabular-nums">{figuresText(figures)}</p>
        {failure !== null && <p className="mt-1 text-md text-warning-text">{failure}</p>}
        {enabled && !changes && tellsUnchosen(settings) && (
          <p className="mt-1 text-md text-warning-text">
            Не&nbsp;выбрано, что сообщать: собеседник узнаёт весь ответ системы. Нажмите «Изменить» и&nbsp;выберите.
          </p>
        )}
        {isUnfinished(tool) && (
          <p className="mt-1 text-md text-warning-text">
            Чтобы включить, нажмите «Изменить», проверьте и&nbsp;укажите, что и&nbsp;кому можно сказать.
          </p>
        )}
      </div>
      <div className="flex shrink-0 flex-wrap items-center gap-2">
        <Switch
          aria-label={`Включено: ${title}`}
          className="me-1.5"
          checked={isOn}
          disabled={turn.isPending}
          onCheckedChange={(next) => turn.mutate({ tool, enabled: next })}
        />
        <Button asChild size="sm">
          <Link href={`${paths.twinTools(twinId)}?edit=${encodeURIComponent(id)}`} aria-label={`Изменить: ${title}`}>
            Изменить
          </Link>
        </Button>
        <Button size="sm" variant="danger" aria-label={`Удалить: ${title}`} onClick={() => setAsking(true)}>
          Удалить
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Удалить действие «${title}»?`}
        description={words.removal}
        confirmLabel="Удалить"
        destructive
        busy={remove.isPending}
        onConfirm={() =>
          remove.mutate(id, { onSuccess: () => toast({ title: "Действие удалено", description: title }) })
        }
      />
    </li>
  );
}
