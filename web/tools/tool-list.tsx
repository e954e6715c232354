import { Plus, Zap } from "lucide-react";
import { Link } from "wouter";
import { tellsUnchosen } from "#contract/actions/tool-settings.ts";
import { TOOLS_LIMIT, type Tool } from "#contract/actions/tools.ts";
import type { Twin } from "#contract/twins.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { ROWS_WITHOUT_SEARCH, SearchRow, useSearchWords } from "#web/ui/layout/paged-list.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { missingOf } from "./form/faults.ts";
import { useActFigures } from "./queries.ts";
import { StartRows } from "./start-rows.tsx";
import { ToolRow } from "./tool-row.tsx";

interface ToolListProps {
  twin: Twin;
  tools: readonly Tool[];
}

/** Whether its form has something left to be entered or chosen. */
const isUnfinished = (tool: Tool): boolean =>
  missingOf(tool).length > 0 || (tool.enabled && !tool.changes && tellsUnchosen(tool.settings));

/** The twin's tools with what they did in 30 days, and the way to begin another. */
export function ToolList({ twin, tools }: ToolListProps) {
  const figures = useActFigures(twin.id).data;
  const [words, search] = useSearchWords();
  const sought = words.trim().toLocaleLowerCase("ru");
  const shown = tools.filter(({ title, description }) =>
    `${title}\n${description}`.toLocaleLowerCase("ru").includes(sought),
  );
  const full = tools.length >= TOOLS_LIMIT ? `Не\u00a0больше ${TOOLS_LIMIT} действий у\u00a0двойника` : null;
  if (tools.length === 0)
    return (
      <>
        <EmptyState
          icon={Zap}
          title="Действий пока нет"
          description="Действие отвечает на то, чего нет в документах. На «где мой заказ 1042?» двойник посмотрит в вашу таблицу или систему и скажет, где заказ. Чужой заказ он не назовёт никому."
        />
        <StartRows twinId={twin.id} />
      </>
    );
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="max-w-measure text-md text-muted">
          Что двойник смотрит и&nbsp;делает в&nbsp;ваших системах, когда об&nbsp;этом спрашивают.
          {tools.some(isUnfinished) && (
            <> Чего не&nbsp;хватает, введите по&nbsp;кнопке «Изменить» и&nbsp;проверьте на&nbsp;примере.</>
          )}
        </p>
        <Button asChild size="sm" whyNot={full}>
          <Link href={`${paths.twinTools(twin.id)}?new=choose`}>
            <Plus aria-hidden className="icon" />
            Новое действие
          </Link>
        </Button>
      </div>
      {(tools.length > ROWS_WITHOUT_SEARCH || words !== "") && (
        <SearchRow label="Найти действие" placeholder="Название или описание" words={words} onChange={search} />
      )}
      {shown.length === 0 ? (
        <EmptyState
          open
          title="Ничего не найдено"
          action={<Button onClick={() => search("")}>Сбросить поиск</Button>}
        />
      ) : (
        <ul className="divide-y border-t">
          {shown.map((tool) => (
            <ToolRow key={tool.id} tool={tool} figures={figures?.tools.find(({ toolId }) => toolId === tool.id)} />
          ))}
        </ul>
      )}
    </div>
  );
}
