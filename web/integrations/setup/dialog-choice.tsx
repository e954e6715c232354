import { MessageSquareOff } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { flushSync } from "react-dom";
import { type AccountDialog, type AccountDialogs, MAX_DIALOGS } from "#contract/knowledge/account-dialogs.ts";
import { importConsent } from "#contract/knowledge/imports.ts";
import { telegramImport } from "#web/display-values.ts";
import { formatNumber, formatShortDate } from "#web/i18n/format.ts";
import { ChatChoice } from "#web/parts/imports/chat-choice.tsx";
import { Button } from "#web/ui/button.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { useAccountDialogs } from "./setup-queries.ts";

interface DialogChoiceProps {
  integrationId: string;
  busy?: boolean;
  error?: unknown;
  onStart: (dialogs: string[]) => void;
  otherwise: ReactNode;
}

export default function DialogChoice(props: DialogChoiceProps) {
  const { data, error, isFetching, refetch } = useAccountDialogs(props.integrationId);
  if (data !== undefined && data.dialogs.length > 0) return <ChoiceForm {...props} found={data} />;
  if (isFetching) return <LoadingStatus className="min-h-40">Загружаем список диалогов...</LoadingStatus>;
  return (
    <div className="flex flex-col gap-4">
      {error ? (
        <ErrorCard title="Не удалось загрузить список диалогов" error={error} onRetry={() => void refetch()} />
      ) : (
        <EmptyState
          icon={MessageSquareOff}
          title="В этом аккаунте нет ни личных диалогов, ни групп"
          description="Каналы и боты не импортируются."
        />
      )}
      <div className="flex flex-wrap justify-end gap-2 max-sm:*:w-full">{props.otherwise}</div>
    </div>
  );
}

function ChoiceForm({
  found: { dialogs, chosen: before },
  busy = false,
  error,
  onStart,
  otherwise,
}: DialogChoiceProps & { found: AccountDialogs }) {
  const [chosen, setChosen] = useState(() => firstChoice(dialogs, before));
  const [tried, setTried] = useState(false);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    if (chosen.size > 0) return onStart([...chosen]);
    flushSync(() => setTried(true));
    event.currentTarget.querySelector('[role="alert"]')?.scrollIntoView({ block: "center" });
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <ChatChoice
        chats={dialogs}
        aboutOf={lastMessageOf}
        chosen={chosen}
        onChange={setChosen}
        error={tried && chosen.size === 0 ? "Выберите хотя бы один чат" : undefined}
      />
      {dialogs.length === MAX_DIALOGS && (
        <p className="text-sm text-subtle">Показаны последние {formatNumber(MAX_DIALOGS)} диалогов.</p>
      )}
      <p className="max-w-measure rounded-lg bg-sunken p-4 text-md text-muted">
        {importConsent.statement} Начиная импорт, вы&nbsp;подтверждаете, что согласие есть в&nbsp;каждом выбранном чате.
      </p>
      <FormError error={error} />
      <div className="flex flex-col gap-3 sm:flex-row sm:items-center">
        <p role="status" className="flex-1 text-sm text-subtle tabular-nums">
          Выбрано: {formatNumber(chosen.size)} из {formatNumber(dialogs.length)}, до{" "}
          {formatNumber(telegramImport.messagesPerDialog)} сообщений в&nbsp;каждом
        </p>
        <div className="flex flex-col-reverse gap-2 sm:flex-row">
          {otherwise}
          <Button type="submit" variant="primary" busy={busy}>
            {busy ? "Запускаем..." : "Импортировать"}
          </Button>
        </div>
      </div>
    </form>
  );
}

/** Returns the initially chosen dialogs: those of the last import, otherwise the latest private ones, which are the default. */
function firstChoice(dialogs: AccountDialog[], before: string[]): Set<string> {
  const known = dialogs.filter(({ id }) => before.includes(id));
  const latest = dialogs.filter(({ kind }) => kind === "private").slice(0, telegramImport.dialogsLimit);
  return new Set((known.length > 0 ? known : latest).map(({ id }) => id));
}

const lastMessageOf = ({ lastMessage }: AccountDialog): string =>
  lastMessage ? `Последнее сообщение: ${formatShortDate(lastMessage)}` : "Сообщений нет";
