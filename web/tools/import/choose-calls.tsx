import { useState } from "react";
import { Link } from "wouter";
import type { OfferedCall, ToolDescription } from "#contract/actions/tool-import.ts";
import type { Tool } from "#contract/actions/tools.ts";
import { ApiError } from "#web/api/api-error.ts";
import { plural } from "#web/i18n/plural.ts";
import { ProxyField } from "#web/parts/proxy/proxy-field.tsx";
import type { ProxyValue } from "#web/parts/proxy/proxy-value.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { ROWS_WITHOUT_SEARCH, SearchRow } from "#web/ui/layout/paged-list.tsx";
import { SettingsGroup } from "#web/ui/layout/settings-group.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { useSingleFlight } from "#web/use-single-flight.ts";
import { useCreateChosen } from "../queries.ts";
import { CallRow } from "./call-row.tsx";
import { type CallNames, foundCalls, isServer, keyOf, proposedNames, secretsOf, toolOf } from "./chosen-tools.ts";
import { SecretFields } from "./secret-fields.tsx";

interface ChooseCallsProps {
  twinId: string;
  description: ToolDescription;
  proxy: ProxyValue;
  onProxy: (next: ProxyValue) => void;
  /** How many tools the twin may still have. */
  room: number;
  back: string;
  onMade: (tools: readonly Tool[]) => void;
}

/** Rows of a list that are shown at once. */
const SHOWN = 50;

/** The calls of a description, of which some are chosen; then what all of them need: the address and the secrets. */
export function ChooseCalls({ twinId, description, proxy, onProxy, room, back, onMade }: ChooseCallsProps) {
  const create = useCreateChosen(twinId);
  const [words, setWords] = useState("");
  const [shown, setShown] = useState(SHOWN);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [typed, setTyped] = useState<Readonly<Record<string, CallNames>>>({});
  const [server, setServer] = useState(description.servers[0] ?? "");
  const [secrets, setSecrets] = useState<Readonly<Record<string, string>>>({});
  const [addressError, setAddressError] = useState<string>();
  const [proxyError, setProxyError] = useState<string>();
  const [failure, setFailure] = useState<unknown>(null);
  const { calls, total } = description;
  const found = foundCalls(description, words);
  const taken = calls.filter((call) => chosen.has(keyOf(call)));
  const needed = secretsOf(taken, server);
  const namesOf = (call: OfferedCall) => typed[keyOf(call)] ?? proposedNames(call);
  const needsServer = taken.some((call) => call.server === null);
  const full = taken.length >= room ? "Больше действий у двойника быть не может" : null;

  function choose(call: OfferedCall, on: boolean) {
    const next = new Set(chosen);
    if (on) next.add(keyOf(call));
    else next.delete(keyOf(call));
    setChosen(next);
  }

  const submit = useSingleFlight(async () => {
    setFailure(null);
    setAddressError(undefined);
    setProxyError(undefined);
    if (needsServer && !isServer(server)) return setAddressError("Введите адрес вида https://api.example.ru");
    const made = await create
      .mutateAsync(
        taken.map((call) => toolOf(call, server, { secrets, proxy: proxy.entered.trim(), names: namesOf(call) })),
      )
      .catch((error: unknown) => {
        const fields = error instanceof ApiError ? (error.serverMessage?.fields ?? {}) : {};
        const atAddress = Object.entries(fields).find(([place]) => /(^|\.)url$/.test(place));
        if (fields.proxy !== undefined) setProxyError(fields.proxy);
        else if (atAddress !== undefined && needsServer) setAddressError(atAddress[1]);
        else setFailure(error);
      });
    if (made) onMade(made);
  });

  return (
    <form
      className="border-t pt-6"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (taken.length > 0) void submit();
      }}
    >
      <SettingsGroup
        id="import-calls"
        title="Вызовы"
        description="Что из этого нужно собеседникам. Каждое действие сначала будет спрашивать вас"
      >
        {calls.length > ROWS_WITHOUT_SEARCH && (
          <SearchRow
            label="Найти вызов"
            placeholder="Название, путь или метод"
            words={words}
            onChange={(next) => {
              setWords(next);
              setShown(SHOWN);
            }}
          />
        )}
        {found.length === 0 ? (
          <EmptyState
            open
            title="Ничего не найдено"
            action={<Button onClick={() => setWords("")}>Сбросить поиск</Button>}
          />
        ) : (
          <ul aria-label="Вызовы описания" className="divide-y border-t">
            {found.slice(0, shown).map((call) => (
              <CallRow
                key={keyOf(call)}
                call={call}
                chosen={chosen.has(keyOf(call))}
                names={namesOf(call)}
                full={full}
                onChange={(on) => choose(call, on)}
                onNames={(names) => setTyped({ ...typed, [keyOf(call)]: names })}
              />
            ))}
          </ul>
        )}
        {found.length > shown && (
          <div className="border-t p-3 text-center">
            <Button onClick={() => setShown(shown + SHOWN)}>Показать ещё</Button>
          </div>
        )}
        {total > calls.length && (
          <p className="text-muted text-sm">
            Показаны первые {plural(calls.length, ["вызов", "вызова", "вызовов"])} из&nbsp;{total}: в&nbsp;описании
            оставьте нужное
          </p>
        )}
      </SettingsGroup>
      {taken.length > 0 && (
        <SettingsGroup
          id="import-access"
          title="Куда и с каким ключом"
          description="Одно на все отмеченные вызовы к одному адресу. Ключ хранится зашифрованным, и увидеть его больше нельзя"
        >
          <div className="flex flex-col gap-4">
            {needsServer && (
              <Field
                label="Адрес системы"
                required
                error={addressError}
                hint={
                  description.servers.length > 1
                    ? `В описании есть и ${description.servers.slice(1, 4).join(", ")}`
                    : undefined
                }
              >
                <Input
                  inputMode="url"
                  autoComplete="off"
                  spellCheck={false}
                  placeholder="https://api.example.ru"
                  maxLength={300}
                  value={server}
                  onChange={({ target }) => {
                    setServer(target.value);
                    setAddressError(undefined);
                  }}
                />
              </Field>
            )}
            {needed.length > 0 && <SecretFields secrets={needed} values={secrets} onChange={setSecrets} />}
            <ProxyField
              value={proxy}
              error={proxyError}
              onChange={(next) => {
                onProxy(next);
                setProxyError(undefined);
              }}
            />
          </div>
        </SettingsGroup>
      )}
      <div className="flex flex-col gap-3 border-t pt-4">
        <FormError error={failure} />
        <div className="flex flex-wrap gap-2">
          <Button
            type="submit"
            variant="primary"
            className="max-sm:w-full"
            busy={create.isPending}
            whyNot={taken.length === 0 ? "Сначала отметьте вызовы" : null}
          >
            {taken.length === 0
              ? "Создать действия"
              : `Создать ${plural(taken.length, ["действие", "действия", "действий"])}`}
          </Button>
          <Button asChild className="max-sm:w-full">
            <Link href={back}>Отмена</Link>
          </Button>
        </div>
      </div>
    </form>
  );
}
