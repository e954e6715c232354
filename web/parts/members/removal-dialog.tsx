import { type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { type ReactNode, useState } from "react";
import type { Member, MemberResources, TwinHandover } from "#contract/organizations/organizations.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog, DialogClose, DialogContent, DialogFooter } from "#web/ui/overlays/dialog.tsx";
import { platformName } from "#web/ui/platform-icon.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { nameOf } from "./role-names.ts";

interface RemovalDialogProps {
  member: Member;
  /** Id of the caller, who is shown as «вам» among the recipients of the twins. */
  ownId: string | undefined;
  resources: UseQueryOptions<MemberResources>;
  busy: boolean;
  onClose: () => void;
  onRemove: (twins: TwinHandover) => void;
}

export default function RemovalDialog({ member, ownId, resources, busy, onClose, onRemove }: RemovalDialogProps) {
  // Loaded afresh, so that exactly the displayed resources are removed.
  const held = useQuery({ ...resources, gcTime: 0, staleTime: 0 });
  const [choice, setChoice] = useState<TwinHandover>("hand-over");
  const data = held.isFetching && !held.isError ? undefined : held.data;
  return (
    <Dialog open onOpenChange={(open) => !open && !busy && onClose()}>
      <DialogContent
        title="Исключить участника?"
        description={`${nameOf(member)} потеряет доступ сразу. Личные тестовые чаты участника удалятся.`}
      >
        {held.isError ? (
          <ErrorCard
            title="Не удалось узнать, что есть у участника"
            error={held.error}
            onRetry={() => void held.refetch()}
          />
        ) : data === undefined ? (
          <div role="status" className="space-y-3">
            <span className="sr-only">Узнаём, что есть у участника...</span>
            <Skeleton className="h-16" />
            <Skeleton className="h-24" />
          </div>
        ) : (
          <div className="grid grid-cols-1 gap-5">
            <Ending held={data} />
            {data.twins.length > 0 && (
              <TwinsChoice held={data} toCaller={data.heir.id === ownId} choice={choice} onChoose={setChoice} />
            )}
          </div>
        )}
        <DialogFooter>
          <DialogClose asChild>
            <Button disabled={busy}>Отмена</Button>
          </DialogClose>
          <Button
            variant="danger-filled"
            busy={busy}
            disabled={data === undefined}
            onClick={({ detail }) => detail <= 1 && onRemove(choice)}
          >
            {data !== undefined && data.twins.length > 0 && choice === "delete"
              ? "Исключить и удалить двойников"
              : "Исключить"}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}

/** Resources that end in either case. */
function Ending({ held: { keys, webhooks, integrations } }: { held: MemberResources }) {
  if (keys.length + webhooks.length + integrations.length === 0)
    return <p className="text-md text-muted">Ключей, вебхуков и подключённых платформ у участника нет.</p>;
  return (
    <section aria-labelledby="ending">
      <h3 id="ending" className="font-semibold text-md">
        Перестанет работать сразу
      </h3>
      <dl className="mt-2 space-y-2 text-md">
        <Things title="Ключи" rows={keys.map(({ id, name, twinName }) => [id, `${name} (${twinName})`])} />
        <Things title="Вебхуки" rows={webhooks.map(({ id, host, twinName }) => [id, `${host} (${twinName})`])} />
        <Things
          title="Подключённые платформы"
          rows={integrations.map(({ id, platform, account, twinName }) => [
            id,
            `${[platformName(platform), account].filter(Boolean).join(" ")} (${twinName})`,
          ])}
        />
      </dl>
      <p className="mt-2 text-muted text-sm">
        Это подключено от имени участника или к двойникам участника, вместе с паролями и токенами. Чтобы двойники снова
        отвечали там, подключите платформы заново.
      </p>
    </section>
  );
}

function Things({ title, rows }: { title: string; rows: readonly (readonly [id: string, text: string])[] }) {
  if (rows.length === 0) return null;
  return (
    <div>
      <dt className="text-muted">
        {title}: {rows.length}
      </dt>
      {rows.map(([id, text]) => (
        <dd key={id} className="[overflow-wrap:anywhere]">
          {text}
        </dd>
      ))}
    </div>
  );
}

interface TwinsChoiceProps {
  held: MemberResources;
  toCaller: boolean;
  choice: TwinHandover;
  onChoose: (choice: TwinHandover) => void;
}

function TwinsChoice({ held: { twins, heir }, toCaller, choice, onChoose }: TwinsChoiceProps) {
  const options: [TwinHandover, string, string][] = [
    [
      "hand-over",
      toCaller
        ? "Передать мне двойников (без личной переписки)"
        : `Передать двойников: ${heir.name} (без личной переписки)`,
      "Останутся настройки, документы, правки для всех и открытые ответы. Загруженная переписка, примеры и стиль участника удалятся. Двойники будут приостановлены.",
    ],
    [
      "delete",
      "Удалить двойников",
      "Вместе с документами, диалогами и всем, чему они научились. Вернуть их будет нельзя.",
    ],
  ];
  return (
    <fieldset className="space-y-3">
      <legend className="font-semibold text-md">Двойники участника: {twins.length}</legend>
      <p className="text-md [overflow-wrap:anywhere]">{twins.map(({ name }) => name).join(", ")}</p>
      {options.map(([value, title, detail]) => (
        <Option key={value} checked={choice === value} title={title} detail={detail} onChoose={() => onChoose(value)} />
      ))}
    </fieldset>
  );
}

interface OptionProps {
  checked: boolean;
  title: ReactNode;
  detail: ReactNode;
  onChoose: () => void;
}

function Option({ checked, title, detail, onChoose }: OptionProps) {
  return (
    <label
      className={clsx(
        "flex cursor-pointer gap-3 rounded-lg border p-4 hover:bg-hover",
        checked && "border-primary bg-primary-soft",
      )}
    >
      <input
        type="radio"
        name="twins"
        checked={checked}
        onChange={onChoose}
        className="mt-1 size-4.5 shrink-0 accent-primary"
      />
      <span className="min-w-0">
        <span className="block font-medium text-md [overflow-wrap:anywhere]">{title}</span>
        <span className="mt-1 block text-md text-muted">{detail}</span>
      </span>
    </label>
  );
}
