import { useState } from "react";
import { Link, useLocation } from "wouter";
import type { ActFigures } from "#contract/actions/acts.ts";
import { tellsUnchosen } from "#contract/actions/tool-settings.ts";
import type { Tool } from "#contract/actions/tools.ts";
import { ApiError } from "#web/api/api-error.ts";
import { testChatPath } from "#web/parts/twins/test-chat-path.ts";
import { paths } from "#web/paths.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Switch } from "#web/ui/forms/switch.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import { toast } from "#web/ui/toasts/toast.ts";
import { missingOf } from "./form/faults.ts";
import { wordsOf } from "./kind-words.ts";
import { NeedsModel } from "./needs-model.tsx";
import { useRemoveTool, useSwitchTool } from "./queries.ts";
import { Taken } from "./taken.tsx";
import { degrees, figuresText } from "./tool-words.ts";

const hasFields = (error: unknown): boolean =>
  error instanceof ApiError && Object.keys(error.serverMessage?.fields ?? {}).length > 0;

interface ToolRowProps {
  tool: Tool;
  figures: ActFigures["tools"][number] | undefined;
}

export function ToolRow({ tool, figures }: ToolRowProps) {
  const { id, twinId, title, description, enabled, degree, changes, settings, offReason, needsModel, example } = tool;
  const [, navigate] = useLocation();
  const [turn, remove] = [useSwitchTool(), useRemoveTool()];
  const [asking, setAsking] = useState(false);
  // Shown as it was pressed while the server still saves it.
  const isOn = turn.isPending ? turn.variables.enabled : enabled && degree !== "never";
  const words = wordsOf(settings.kind);
  const Icon = words.icon;
  const failure = words.failureOf(settings) ?? offReason;
  const [figure, missing] = [figuresText(figures, tool.createdAt), missingOf(tool)];
  const form = `${paths.twinTools(twinId)}?edit=${encodeURIComponent(id)}`;

  function change(next: boolean) {
    if (next && missing.length > 0) {
      toast({
        title: "Действие не закончено",
        description: `Не\u00a0хватает: ${missing.join(", ")}`,
        variant: "destructive",
      });
      navigate(form);
      return;
    }
    // What the server refuses at a field is mended in the form.
    turn.mutate({ tool, enabled: next }, { onError: (error) => hasFields(error) && navigate(form) });
  }

  return (
    <li className="flex items-start justify-between gap-x-6 gap-y-3 py-4 max-sm:flex-col">
      <div className="flex min-w-0 items-start gap-3">
        <Icon aria-hidden className="icon mt-0.5 shrink-0 text-muted" />
        <div className="min-w-0 max-w-measure [overflow-wrap:anywhere]">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 className="text-base">{title}</h2>
            {degree === "never" ? (
              <Badge>Не&nbsp;вызывается</Badge>
            ) : (
              <>
                {!(isOn && needsModel !== null) && (
                  <Badge tone={isOn ? "success" : "neutral"}>{isOn ? "Включено" : "Выключено"}</Badge>
                )}
                {missing.length > 0 && <Badge tone="warning">Не&nbsp;закончено</Badge>}
                {needsModel !== null && <Badge tone="warning">Нужна модель</Badge>}
                <Badge tone={degree === "asks" ? "info" : "neutral"}>{degrees[degree].name}</Badge>
              </>
            )}
          </div>
          {description !== "" && <p className="mt-1 text-md">{description}</p>}
          <p className="mt-1 text-muted text-sm">{words.placeOf(settings)}</p>
          {figure !== null && <p className="text-muted text-sm tabular-nums">{figure}</p>}
          {failure !== null && <p className="mt-1 text-md text-warning-text">{failure}</p>}
          {enabled && !changes && tellsUnchosen(settings) && (
            <p className="mt-1 text-md text-warning-text">
              Не&nbsp;выбрано, что сообщать: собеседник узнаёт весь ответ системы
            </p>
          )}
          {missing.length > 0 && (
            <p className="mt-1 text-md text-warning-text">Не&nbsp;хватает: {missing.join(", ")}</p>
          )}
          <NeedsModel tool={tool} />
          <Taken taken={tool.taken} />
        </div>
      </div>
      <div className="flex shrink-0 flex-wrap items-center gap-2">
        <Switch
          aria-label={`Включено: ${title}`}
          className="me-1.5"
          checked={isOn}
          disabled={turn.isPending}
          onCheckedChange={change}
        />
        {isOn && needsModel === null && (
          <Button asChild size="sm" className="min-h-9">
            <Link href={testChatPath(twinId, example)} aria-label={`Спросить в чате: ${title}`}>
              <span>
                Спросить<span className="max-sm:hidden"> в&nbsp;чате</span>
              </span>
            </Link>
          </Button>
        )}
        <Button asChild size="sm" className="min-h-9">
          <Link href={form} aria-label={`Изменить: ${title}`}>
            Изменить
          </Link>
        </Button>
        <Button
          size="sm"
          variant="ghost"
          className="min-h-9"
          aria-label={`Удалить: ${title}`}
          onClick={() => setAsking(true)}
        >
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
