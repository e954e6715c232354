import { Plus, X } from "lucide-react";
import { useState } from "react";
import type { McpConnection, OfferedAction } from "#contract/actions/tool-connections.ts";
import type { ToolField } from "#contract/actions/tool-settings.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { serverName } from "../connections/connection-words.ts";
import { useConnections } from "../connections/queries.ts";
import { ChangesField } from "./changes-field.tsx";
import { ConnectionForm } from "./connection-form.tsx";
import { FIELD_TYPES } from "./field-types.ts";
import { errorAt, type ToolFormState, useRows } from "./form-parts.tsx";
import { fieldValuesOf } from "./form-values.ts";
import { OfferList } from "./offer-list.tsx";
import { russian } from "./program-names.ts";

interface McpSourceProps {
  form: ToolFormState;
  twinId: string;
  listed: string | null;
  onListed: (isDraft: boolean) => void;
}

/** Which action of which MCP server: connected, chosen, and described in the owner's words. */
export function McpSource({ form, twinId, listed, onListed }: McpSourceProps) {
  const query = useConnections(twinId);
  const [adding, setAdding] = useState(false);
  const [connectionId, name] = form.watch(["connectionId", "actionName"]);
  if (query.data === undefined)
    return query.error ? (
      <ErrorCard title="Не удалось загрузить подключения" error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <LoadingStatus className="min-h-40">Загружаем подключения...</LoadingStatus>
    );
  const servers = query.data.filter((one) => one.kind === "mcp");
  const connection = servers.find(({ id }) => id === connectionId);
  const asked = servers.find(({ id }) => id === listed);
  if (asked !== undefined)
    return (
      <div className="flex flex-col gap-6">
        {name !== "" && connection !== undefined && (
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 rounded-lg border px-4 py-2 text-md">
            <span className="min-w-0 [overflow-wrap:anywhere]">
              Есть незаконченное действие: {connection.offers.find((one) => one.name === name)?.title ?? name}
            </span>
            <Button size="sm" variant="ghost" onClick={() => onListed(true)}>
              Продолжить
            </Button>
          </p>
        )}
        <OfferList
          connection={asked}
          onChoose={(offer) => {
            onListed(false);
            choose(form, asked, offer);
          }}
        />
      </div>
    );
  if (name !== "" && connection !== undefined)
    return <Chosen form={form} connection={connection} offer={connection.offers.find((one) => one.name === name)} />;
  return (
    <div className="flex flex-col gap-6">
      {servers.map((one) => (
        <OfferList key={one.id} connection={one} onChoose={(offer) => choose(form, one, offer)} />
      ))}
      {adding || servers.length === 0 ? (
        <ConnectionForm twinId={twinId} onCancel={servers.length === 0 ? null : () => setAdding(false)} />
      ) : (
        <Button size="sm" className="self-start" onClick={() => setAdding(true)}>
          <Plus aria-hidden className="icon" />
          Подключить другой сервер
        </Button>
      )}
    </div>
  );
}

/** What the server says is only proposed. */
function choose(form: ToolFormState, { id }: McpConnection, offer: OfferedAction) {
  const changes = !offer.readOnly;
  const proposed = {
    ...{ connectionId: id, actionName: offer.name, changes, degree: changes ? "asks" : "itself" },
    // Customers read these: names of programs and words of another language are none for them.
    title: offer.title === offer.name ? "" : russian(offer.title),
    description: russian(offer.description.slice(0, 500)),
    ...{ fields: offer.fields.map(proposedField), places: [], resultPath: "" },
  };
  for (const [place, value] of Object.entries(proposed))
    form.setValue(place as "title", value as string, { shouldDirty: true });
  form.clearErrors();
}

function proposedField(field: ToolField) {
  return { ...fieldValuesOf(field), label: russian(field.label), description: russian(field.description) };
}

interface ChosenProps {
  form: ToolFormState;
  connection: McpConnection;
  /** undefined: the server does not offer it any more. */
  offer: OfferedAction | undefined;
}

function Chosen({ form, connection, offer }: ChosenProps) {
  const name = form.watch("actionName");
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 text-md [overflow-wrap:anywhere]">
          <span className="font-medium">{serverName(connection.title)}</span>
          <span className="block text-muted text-sm">
            {offer !== undefined && offer.title !== name && <>{offer.title}, </>}
            <span className="font-mono">{name}</span>
          </span>
        </p>
        <Button size="sm" onClick={() => form.setValue("actionName", "", { shouldDirty: true })}>
          Выбрать другое
        </Button>
      </div>
      {offer === undefined ? (
        <p className="text-md text-warning-text">Сервер больше не&nbsp;предлагает это действие</p>
      ) : (
        offer.description !== "" && (
          <blockquote className="border-s-2 ps-3 text-muted text-sm [overflow-wrap:anywhere]">
            Сервер говорит: {offer.description}
          </blockquote>
        )
      )}
      <ActionFields form={form} offer={offer} />
      <ChangesField form={form} />
    </div>
  );
}

/** The server names the fields; what people and the model read of them is the owner's. */
function ActionFields({ form, offer }: Omit<ChosenProps, "connection">) {
  const { register } = form;
  const { rows: fields, remove } = useRows(form, "fields");
  const offered = (name: string) => offer?.fields.find((field) => field.name === name);
  const differs = offer?.fields.some(({ name }) => !fields.some((field) => field.name === name));
  return (
    <section aria-labelledby="tool-fields" className="flex flex-col gap-3">
      <div>
        <h3 id="tool-fields" className="font-medium text-md">
          Что узнать в&nbsp;разговоре
        </h3>
        <p className="text-muted text-sm">
          {fields.length === 0
            ? "Этому действию ничего не\u00a0нужно."
            : "Значение двойник берёт только из\u00a0слов собеседника. Назовите поля так, как о\u00a0них спрашивать."}
          {offer !== undefined && offer.leftOut.length > 0 && (
            <> Сложные поля не&nbsp;передаются: {offer.leftOut.join(", ")}.</>
          )}
        </p>
      </div>
      {fields.map((field, at) => {
        const own = offered(field.name);
        const isFixed = own === undefined || own.type === "number" || own.type === "choice";
        return (
          <fieldset key={field.name} className="grid min-w-0 gap-3 rounded-lg border p-4 sm:grid-cols-2">
            <legend className="sr-only">Поле {field.name}</legend>
            <p className="text-sm sm:col-span-2 [overflow-wrap:anywhere]">
              <span className="font-mono">{field.name}</span>
              <span className="text-muted">, {field.required ? "обязательное" : "можно без\u00a0него"}</span>
              {own !== undefined && own.description !== "" && own.description !== field.description && (
                <span className="block text-muted">Сервер говорит: {own.description}</span>
              )}
            </p>
            <Field
              label="Название для людей"
              required
              error={errorAt(form, `fields.${at}.label`)}
              hint={field.label === "" ? "Назовите по-русски: так двойник об\u00a0этом спросит" : undefined}
            >
              <Input autoComplete="off" maxLength={60} {...register(`fields.${at}.label`)} />
            </Field>
            <Field label="Что это" error={errorAt(form, `fields.${at}.type`)}>
              <Select disabled={isFixed} {...register(`fields.${at}.type`)}>
                {Object.entries(FIELD_TYPES).map(([type, words]) => (
                  <option key={type} value={type}>
                    {words}
                  </option>
                ))}
              </Select>
            </Field>
            <Field
              label="Пояснение для модели"
              className="sm:col-span-2"
              error={errorAt(form, `fields.${at}.description`)}
            >
              <Input autoComplete="off" maxLength={200} {...register(`fields.${at}.description`)} />
            </Field>
            {field.type === "choice" && !offer?.yesOrNo.includes(field.name) && (
              <Field
                label="Значения, каждое с новой строки"
                required
                className="sm:col-span-2"
                error={errorAt(form, `fields.${at}.choices`)}
              >
                <Textarea rows={3} {...register(`fields.${at}.choices`)} />
              </Field>
            )}
            {field.type === "choice" && offer?.yesOrNo.includes(field.name) && (
              <p className="text-muted text-sm sm:col-span-2">Значения: {field.choices.split("\n").join(", ")}</p>
            )}
            {own?.required !== true && (
              <Button
                variant="ghost"
                size="sm"
                className="justify-self-start"
                aria-label={`Не передавать: ${field.name}`}
                onClick={() => remove(at)}
              >
                <X aria-hidden className="icon" />
                Не&nbsp;передавать
              </Button>
            )}
          </fieldset>
        );
      })}
      {offer !== undefined && differs && (
        <Button
          size="sm"
          className="self-start"
          onClick={() => {
            const before = (name: string) => fields.find((field) => field.name === name);
            const next = offer.fields.map((field) => before(field.name) ?? proposedField(field));
            form.setValue("fields", next, { shouldDirty: true });
          }}
        >
          <Plus aria-hidden className="icon" />
          Вернуть все поля сервера
        </Button>
      )}
    </section>
  );
}
