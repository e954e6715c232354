import { CircleCheck } from "lucide-react";
import { useState } from "react";
import type { RemoteModel } from "#contract/models/remote-model.ts";
import type { RemoteSearch as State } from "#contract/models/remote-search.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { Button } from "#web/ui/button.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { toast } from "#web/ui/toasts/toast.ts";
import { useOfferedSearchModels, useRemoteSearch, useRemoteSearchActs } from "./queries.ts";

/** Search by meaning through the embeddings of the connected provider: offered, under way, or in use. */
export function RemoteSearch({ settings }: { settings: NonNullable<RemoteModel["settings"]> }) {
  const query = useRemoteSearch();
  const host = new URL(settings.baseUrl).host;
  return (
    <section aria-label="Поиск по смыслу" className="flex max-w-measure flex-col gap-3 border-t pt-5">
      <h3 className="text-base">Поиск по смыслу</h3>
      {query.data !== undefined ? (
        query.data.model === null ? (
          <Offer search={query.data} host={host} />
        ) : (
          <InUse search={query.data} model={query.data.model} host={host} />
        )
      ) : query.isError ? (
        <ErrorCard
          title="Не удалось узнать, как ищут двойники"
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <div role="status">
          <span className="sr-only">Узнаём, как ищут двойники...</span>
          <Skeleton className="h-24" />
        </div>
      )}
    </section>
  );
}

function Offer({ search, host }: { search: State; host: string }) {
  const offered = useOfferedSearchModels();
  const { set } = useRemoteSearchActs();
  const [chosen, setChosen] = useState<string>();
  const models = offered.data?.models ?? [];
  const model = (chosen ?? models[0] ?? "").trim();
  if (offered.isPending)
    return (
      <div role="status">
        <span className="sr-only">Спрашиваем, есть ли у поставщика модель для поиска...</span>
        <Skeleton className="h-24" />
      </div>
    );
  return (
    <>
      <p className="text-md">
        {search.ofInstallation
          ? "Сейчас двойники ищут моделью этой установки."
          : "Сейчас двойники находят только то, что сказано теми же словами."}
        {models.length === 0 && ` Сервер ${host} не назвал моделей для поиска: если знаете название, впишите его.`}
      </p>
      <p className="text-md text-muted">{whatIsSent(host)}</p>
      <p className="text-md text-muted">{costOf(search)}</p>
      {models.length > 1 ? (
        <Field label="Модель для поиска">
          <Select value={model} onChange={({ target }) => setChosen(target.value)}>
            {models.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        </Field>
      ) : (
        <Field label="Модель для поиска">
          <Input
            autoComplete="off"
            spellCheck={false}
            value={chosen ?? models[0] ?? ""}
            onChange={({ target }) => setChosen(target.value)}
          />
        </Field>
      )}
      <FormError error={set.error} />
      <div>
        <Button
          busy={set.isPending}
          whyNot={model === "" ? "Впишите название модели для поиска" : null}
          onClick={() => set.mutate(model, { onSuccess: () => toast({ title: "Двойники учатся искать по смыслу" }) })}
        >
          {set.isPending ? "Проверяем..." : "Искать через этого же поставщика"}
        </Button>
      </div>
    </>
  );
}

function InUse({ search, model, host }: { search: State; model: string; host: string }) {
  const { twins, error, ofInstallation } = search;
  const { set, goBack } = useRemoteSearchActs();
  const isReady = twins.ready >= twins.all;
  return (
    <>
      <div role="status" className="flex flex-col gap-2 text-md">
        {isReady ? (
          <p className="flex items-start gap-2 text-success-text">
            <CircleCheck aria-hidden className="icon mt-0.5 shrink-0" />
            <span className="min-w-0 [overflow-wrap:anywhere]">Двойники ищут по смыслу моделью {model}.</span>
          </p>
        ) : (
          <>
            <p className="tabular-nums [overflow-wrap:anywhere]">
              Учимся искать моделью {model}: {twins.ready} из{" "}
              {plural(twins.all, ["двойника", "двойников", "двойников"])}. Остальные пока ищут по словам; страницу можно
              закрыть.
            </p>
            <Progress label="Поиск по смыслу" value={(twins.ready / twins.all) * 100} />
          </>
        )}
        {error !== null && <p className="text-warning-text">{error}</p>}
      </div>
      <p className="text-md text-muted">{whatIsSent(host)}</p>
      <FormError error={set.error ?? goBack.error} />
      <div className="flex flex-wrap gap-3">
        {error !== null && (
          <Button busy={set.isPending} onClick={() => set.mutate(model)}>
            Попробовать ещё раз
          </Button>
        )}
        <Button
          variant="outline"
          busy={goBack.isPending}
          onClick={() => goBack.mutate(undefined, { onSuccess: () => toast({ title: "Вернули прежний поиск" }) })}
        >
          {ofInstallation ? "Вернуть модель установки" : "Искать снова только по словам"}
        </Button>
      </div>
    </>
  );
}

const whatIsSent = (host: string): string =>
  `На сервер ${host} уходят отрывки документов, прошлые сообщения собеседников и каждый новый вопрос; телефоны, почта, карты и номера документов перед этим скрываются, если сервер чужой.`;

const costOf = ({ tokens, dailyTokens }: State): string =>
  tokens === 0
    ? `Учить пока нечего. Когда появятся документы и переписки, уйдёт не больше ${formatNumber(dailyTokens)} токенов в день на двойника, по цене эмбеддингов вашего поставщика.`
    : `Один раз уйдёт около ${formatNumber(tokens)} токенов, в день не больше ${formatNumber(dailyTokens)} на двойника; потом по одному вопросу. Считайте их по цене эмбеддингов вашего поставщика.`;
