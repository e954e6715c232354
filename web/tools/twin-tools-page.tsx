import { lazy, Suspense, useCallback } from "react";
import { useLocation } from "wouter";
import type { ToolConnection } from "#contract/actions/tool-connections.ts";
import type { Tool } from "#contract/actions/tools.ts";
import type { Twin } from "#contract/twins.ts";
import { useAddressState } from "#web/address-state.ts";
import { plural } from "#web/i18n/plural.ts";
import { testChatPath } from "#web/parts/twins/test-chat-path.ts";
import { paths } from "#web/paths.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { TwinSubpage } from "#web/shell/twin-subpage.tsx";
import { Button } from "#web/ui/button.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#web/ui/layout/tabs.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { ReadOnlyNote } from "#web/ui/states/read-only.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { actionToast } from "#web/ui/toasts/action-toast.tsx";
import { toast } from "#web/ui/toasts/toast.ts";
import { BackToTools } from "./back-to-tools.tsx";
import { ConnectionRows } from "./connections/connection-rows.tsx";
import { useConnectionReturn } from "./connections/use-connection-return.ts";
import { TOOL_KINDS } from "./kind-words.ts";
import { useTools } from "./queries.ts";
import { StartRows } from "./start-rows.tsx";
import { ToolList } from "./tool-list.tsx";

const ToolForm = lazy(() => import("./form/tool-form.tsx"));
const ImportTools = lazy(() => import("./import/import-tools.tsx"));
const Journal = lazy(() => import("./journal.tsx"));

/** `?tab=journal&show=open&tool=…`: the journal; `?new=choose`: which kind; `?new=table`, `?edit=…`: the form of a tool; `?new=openapi`: from a description; `?new=mcp&of=…`: of that connection. */
const DEFAULTS = { tab: "tools", show: "", tool: "", new: "", edit: "", of: "" };

export default function TwinToolsPage() {
  return <TwinSubpage title="Действия">{(twin) => <Content twin={twin} />}</TwinSubpage>;
}

function Content({ twin }: { twin: Twin }) {
  const [search, change] = useAddressState(DEFAULTS);
  const readOnly = useReadOnly(twin);
  const tab = search.get("tab") === "journal" ? "journal" : "tools";
  const kind = TOOL_KINDS.find((one) => one === search.get("new"));
  const edited = search.get("edit");
  const onConnected = useCallback(
    ({ title }: ToolConnection) => {
      toast({ title: "Сервер подключён", description: title });
      change({ new: "mcp" });
    },
    [change],
  );
  const isConnecting = useConnectionReturn(onConnected);
  if (isConnecting) return <LoadingStatus className="min-h-60">Подключаем сервер...</LoadingStatus>;
  const begun = search.get("new");
  if (readOnly === null && tab === "tools" && begun === "choose") return <Choice twin={twin} />;
  if (readOnly === null && tab === "tools" && begun === "openapi") return <Import twin={twin} />;
  if (readOnly === null && tab === "tools" && (kind !== undefined || edited !== null))
    return <Form twin={twin} kind={kind} edited={kind === undefined ? edited : null} of={search.get("of")} />;
  return (
    <Tabs value={tab} onValueChange={(next) => change({ tab: next, show: "", tool: "" })}>
      <TabsList aria-label="Действия и журнал">
        <TabsTrigger value="tools">Действия</TabsTrigger>
        <TabsTrigger value="journal">Журнал</TabsTrigger>
      </TabsList>
      <TabsContent value="tools">
        {readOnly === null ? <Tools twin={twin} /> : <ReadOnlyNote reason={readOnly} />}
      </TabsContent>
      <TabsContent value="journal">
        <Suspense fallback={<Loading />}>
          <Journal twin={twin} show={search.get("show")} toolId={search.get("tool") ?? ""} onFilter={change} />
        </Suspense>
      </TabsContent>
    </Tabs>
  );
}

const Loading = () => <LoadingStatus className="min-h-60">Загрузка...</LoadingStatus>;

function Tools({ twin }: { twin: Twin }) {
  const query = useTools(twin.id, true);
  if (query.data === undefined)
    return query.error ? (
      <ErrorCard title="Не удалось загрузить действия" error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <LoadingStatus className="min-h-60">Загружаем действия...</LoadingStatus>
    );
  return (
    <>
      <ToolList twin={twin} tools={query.data} />
      <ConnectionRows twin={twin} />
    </>
  );
}

/** Which kind of tool is begun. */
function Choice({ twin }: { twin: Twin }) {
  return (
    <div className="flex flex-col gap-3">
      <BackToTools twinId={twin.id} />
      <h2 className="text-xl">Новое действие</h2>
      <StartRows twinId={twin.id} />
    </div>
  );
}

function Import({ twin }: { twin: Twin }) {
  const [, navigate] = useLocation();
  const back = paths.twinTools(twin.id);
  const made = (tools: readonly Tool[]) => {
    const [only, ...others] = tools;
    const count = plural(tools.length, ["действие", "действия", "действий"]);
    toast({ title: `Добавлено: ${count}`, description: "Пока выключено. Проверьте и включите" });
    navigate(only !== undefined && others.length === 0 ? `${back}?edit=${encodeURIComponent(only.id)}` : back);
  };
  return (
    <Suspense fallback={<Loading />}>
      <ImportTools twinId={twin.id} back={back} onMade={made} />
    </Suspense>
  );
}

interface FormProps {
  twin: Twin;
  /** undefined: one is changed. */
  kind: Tool["settings"]["kind"] | undefined;
  /** Id of the tool that is changed; null for a new one. */
  edited: string | null;
  /** Id of the connection of which an action is chosen; null: of any. */
  of: string | null;
}

function Form({ twin, kind, edited, of }: FormProps) {
  const [, navigate] = useLocation();
  const query = useTools(twin.id, edited !== null);
  const back = paths.twinTools(twin.id);
  const saved = ({ id, title, enabled, degree, needsModel, example, taken }: Tool) => {
    const said = edited === null ? "Действие создано" : "Действие сохранено";
    // The clash is named at the field itself.
    if (taken.length > 0) {
      toast({ title: `${said}, но\u00a0пример занят`, description: title });
      return navigate(`${back}?edit=${encodeURIComponent(id)}`);
    }
    if (!enabled || degree === "never") toast({ title: said, description: title });
    else if (needsModel === null)
      actionToast(said, [{ label: "Спросить в\u00a0чате", href: testChatPath(twin.id, example) }]);
    else
      actionToast(`${said}, но\u00a0без модели не\u00a0сработает`, [{ label: "Подключить модель", href: paths.model }]);
    navigate(back);
  };
  const tool = edited === null ? undefined : query.data?.find(({ id }) => id === edited);
  if (edited !== null && query.data === undefined)
    return query.error ? (
      <ErrorCard title="Не удалось загрузить действие" error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <LoadingStatus className="min-h-60">Загружаем действие...</LoadingStatus>
    );
  if (edited !== null && tool === undefined)
    return (
      <EmptyState
        title="Действие не найдено"
        description="Возможно, его удалили."
        action={<Button onClick={() => navigate(back)}>Все действия</Button>}
      />
    );
  return (
    <Suspense fallback={<Loading />}>
      <ToolForm
        key={edited ?? kind}
        twinId={twin.id}
        kind={tool?.settings.kind ?? kind!}
        tool={tool}
        of={of}
        back={back}
        onSaved={saved}
      />
    </Suspense>
  );
}
