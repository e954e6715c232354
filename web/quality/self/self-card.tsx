import { clsx } from "clsx";
import { Pencil } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import type { SelfPresentation, StatedSelf } from "#contract/knowledge/self-presentation.ts";
import { plural } from "#web/i18n/plural.ts";
import { Button } from "#web/ui/button.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { actionToast } from "#web/ui/toasts/action-toast.tsx";
import { useSelfPresentation, useStateSelf } from "./queries.ts";
import { SelfForm } from "./self-form.tsx";
import { actTitle, GENDERS, hidesSomething, languageList, sourceOf } from "./self-words.ts";

interface SelfCardProps {
  twinId: string;
  /** Why nothing can be changed, as a sentence; null when it can. */
  readOnly: string | null;
}

/** Who the owner is, where that is known from, and a form in which he corrects it for everybody. */
export function SelfCard({ twinId, readOnly }: SelfCardProps) {
  const query = useSelfPresentation(twinId);
  const state = useStateSelf(twinId);
  const [editing, setEditing] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  const { data } = query;
  if (data === undefined) {
    return query.error ? (
      <ErrorCard title="Не удалось загрузить, кто вы" error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <Skeleton className="h-72 w-full rounded-lg" />
    );
  }

  function close() {
    setEditing(false);
    // The button is there again after the next render.
    requestAnimationFrame(() => edit.current?.focus());
  }

  function save(stated: StatedSelf) {
    const before = data!.stated;
    state.mutate(stated, {
      onSuccess: () => {
        close();
        actionToast("Сохранено", [{ label: "Отменить", onPress: () => state.mutate(before) }]);
      },
    });
  }

  return (
    <Card aria-labelledby="self">
      <CardHeader
        id="self"
        title="Кто вы"
        description={
          editing ? "Это увидят все, кому отвечает двойник" : "Так двойник говорит о себе. Если не так, поправьте"
        }
        action={
          !editing && (
            <Button ref={edit} size="sm" whyNot={readOnly} onClick={() => setEditing(true)}>
              <Pencil aria-hidden className="icon" />
              Изменить
            </Button>
          )
        }
      />
      <CardBody>
        {editing ? (
          <SelfForm data={data} busy={state.isPending} onSave={save} onCancel={close} />
        ) : (
          <Known data={data} />
        )}
      </CardBody>
    </Card>
  );
}

function Known({ data }: { data: SelfPresentation }) {
  const { learnt, stated } = data;
  const gender = stated.gender === "learnt" ? (learnt.gender?.value ?? null) : stated.gender;
  const role = stated.role ?? learnt.role?.text ?? "";
  const greeting = stated.greeting ?? learnt.greeting?.text ?? "";
  const signature = stated.signature ?? learnt.signature?.text ?? "";
  return (
    <div className={clsx("grid grid-cols-1 gap-x-10 gap-y-5", learnt.acts.length > 0 && "lg:grid-cols-2")}>
      <dl className="divide-y">
        <Row
          name="О себе"
          value={gender === null ? null : GENDERS[gender]}
          missing="Род пока неизвестен: в письмах мало слов вроде «сделал» или «рада»"
          source={sourceOf(stated.gender !== "learnt", learnt.gender)}
          examples={stated.gender === "learnt" ? (learnt.gender?.examples ?? []) : []}
        />
        <Row
          name="Роль"
          value={role}
          missing="Не указана: из личных писем роль не берётся"
          source={stated.role !== undefined ? sourceOf(true, null) : learnt.role && SOURCES[learnt.role.source]}
        />
        <Row
          name="Незнакомым"
          value={greeting && `«${greeting}»`}
          missing={stated.greeting === "" ? "Без особого приветствия" : "Особого приветствия не видно"}
          source={sourceOf(stated.greeting !== undefined, learnt.greeting)}
        />
        <Row
          name="Подпись"
          value={signature}
          missing={stated.signature === "" ? "Без подписи" : "Подписи не видно"}
          source={sourceOf(stated.signature !== undefined, learnt.signature)}
        />
        {learnt.languages.length > 0 && (
          <Row name="Языки" value={languageList(learnt.languages)} missing="" source={null} />
        )}
      </dl>
      {learnt.acts.length > 0 && <Acts acts={learnt.acts} />}
      {hidesSomething(data) && (
        <p className="max-w-measure text-md text-muted">
          Что видите только вы, двойник незнакомым не&nbsp;показывает: так вы писали меньше чем трём людям. Чтобы
          показывал, нажмите «Изменить» и&nbsp;сохраните.
        </p>
      )}
    </div>
  );
}

const SOURCES = { description: "из описания двойника", document: "из ваших документов" } as const;

interface RowProps {
  name: string;
  /** Null or empty: unknown. */
  value: string | null;
  /** A sentence instead of an unknown value. */
  missing: string;
  source: string | null;
  examples?: readonly string[];
}

function Row({ name, value, missing, source, examples = [] }: RowProps) {
  return (
    <div className="grid grid-cols-1 gap-x-4 py-3 first:pt-0 last:pb-0 md:grid-cols-[10rem_minmax(0,1fr)]">
      <dt className="text-md text-muted">{name}</dt>
      <dd className="min-w-0 text-md">
        {value ? (
          <span className="whitespace-pre-line font-medium [overflow-wrap:anywhere]">{value}</span>
        ) : (
          <span className="text-muted">{missing}</span>
        )}
        {source && <span className="block text-sm text-subtle">{source}</span>}
        {examples.length > 0 && (
          <span className="block text-sm text-subtle [overflow-wrap:anywhere]">
            {examples.map((text) => `«${text}»`).join(", ")}
          </span>
        )}
      </dd>
    </div>
  );
}

function Acts({ acts }: { acts: SelfPresentation["learnt"]["acts"] }) {
  return (
    <section aria-labelledby="self-acts" className="min-w-0">
      <h3 id="self-acts" className="text-md">
        Что когда пишете
      </h3>
      <ul className="mt-2 divide-y">
        {acts.map(({ act, count, phrases, examples }) => (
          <li key={act} className="py-3 first:pt-0 last:pb-0">
            <p className="text-md">
              {actTitle(act)}
              {phrases.length > 0 && (
                <span className="font-medium">: {phrases.map((phrase) => `«${phrase}»`).join(", ")}</span>
              )}
              <Count count={count} />
            </p>
            {examples.map((text) => (
              <p key={text} className="mt-1 line-clamp-2 text-muted text-sm [overflow-wrap:anywhere]">
                {text}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Count({ count }: { count: number }): ReactNode {
  return <span className="text-sm text-subtle tabular-nums"> · {plural(count, ["раз", "раза", "раз"])}</span>;
}
