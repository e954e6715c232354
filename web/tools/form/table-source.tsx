import { type ReactNode, useState } from "react";
import { TABLE_BYTES_LIMIT, TABLE_FRESH_MINUTES } from "#contract/actions/tool-settings.ts";
import type { TableInputFile } from "#contract/actions/tools.ts";
import { ApiError, messageOf } from "#web/api/api-error.ts";
import { formatMoment } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { ProxyField } from "#web/parts/proxy/proxy-field.tsx";
import { proxyInput, storedProxy } from "#web/parts/proxy/proxy-value.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { FileDrop } from "#web/ui/forms/file-drop.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { useReadTable } from "../queries.ts";
import { ChoiceError, errorAt, type ToolFormState } from "./form-parts.tsx";
import { guessTable } from "./guess-table.ts";
import { TableSample } from "./table-sample.tsx";

const FORMATS = ".csv,.xlsx";

/** Where the table is: a file, or an address that is read again; then its key and what is reported of a row. */
export function TableSource({ form, twinId }: { form: ToolFormState; twinId: string }) {
  const read = useReadTable();
  const [sample, setSample] = useState<readonly string[][]>([]);
  const [problem, setProblem] = useState<{ at: "file" | "address"; said: string }>();
  const [address, setAddress] = useState("");
  const [proxy, setProxy] = useState(storedProxy());
  const [proxyError, setProxyError] = useState<string>();
  const [changing, setChanging] = useState(false);
  const { watch, setValue } = form;
  const [table, keyColumn, columns] = watch(["table", "keyColumn", "columns"]);

  function take(input: Omit<TableInputFile, "twinId">) {
    if (read.isPending) return;
    setProblem(undefined);
    setProxyError(undefined);
    read.mutate(
      { twinId, ...input, ...(table !== null && { formerId: table.id }) },
      {
        onSuccess: ({ sample: rows, ...found }) => {
          setSample(rows);
          setChanging(false);
          const before = form.getValues();
          setValue("table", found, { shouldDirty: true });
          for (const [name, value] of Object.entries(guessTable(found, before)))
            setValue(name as "keyColumn", value as string, { shouldDirty: true });
        },
        onError: (error) => {
          const ofProxy = error instanceof ApiError ? error.serverMessage?.fields?.proxy : undefined;
          if (ofProxy === undefined)
            setProblem({ at: input.url === undefined ? "file" : "address", said: sentenceOf(error) });
          else setProxyError(ofProxy);
        },
      },
    );
  }

  function takeAddress() {
    if (address.trim() !== "") take({ url: address.trim(), ...proxyInput(proxy) });
  }

  const onEnter = (event: { key: string; preventDefault: () => void }) => {
    if (event.key !== "Enter") return;
    // The form itself is not ready to be sent.
    event.preventDefault();
    takeAddress();
  };

  async function takeFile([file]: File[]) {
    if (file === undefined) return;
    const refuse = (said: string) => setProblem({ at: "file", said });
    if (!/\.(csv|xlsx)$/i.test(file.name)) return refuse("Нужен файл CSV или xlsx");
    if (file.size > TABLE_BYTES_LIMIT) return refuse("Файл больше 700 КБ");
    take({ name: file.name, content: await base64Of(file) });
  }

  const ofFile = problem?.at === "file" ? problem.said : errorAt(form, "table");
  if (read.isPending) return <LoadingStatus className="min-h-40">Читаем таблицу...</LoadingStatus>;
  if (table === null || changing)
    return (
      <div className="flex flex-col gap-4">
        <FileDrop
          label="Перетащите таблицу сюда или выберите на устройстве"
          touchLabel="Выберите таблицу"
          hint="CSV или xlsx до 700 КБ, названия столбцов в первой строке"
          accept={FORMATS}
          multiple={false}
          onFiles={(files) => void takeFile(files)}
        />
        <ChoiceError message={ofFile} />
        <Field
          label="Или адрес CSV"
          error={problem?.at === "address" ? problem.said : undefined}
          hint={`Например, опубликованная таблица Google. Перечитываем, если прошло больше ${TABLE_FRESH_MINUTES} минут`}
        >
          <div className="flex gap-2">
            <Input
              inputMode="url"
              autoComplete="off"
              placeholder="https://example.ru/orders.csv"
              value={address}
              onChange={({ target }) => {
                setAddress(target.value);
                setProblem(undefined);
              }}
              onKeyDown={onEnter}
            />
            <Button whyNot={address.trim() === "" ? "Сначала введите адрес" : null} onClick={takeAddress}>
              Прочитать
            </Button>
          </div>
        </Field>
        <ProxyField
          value={proxy}
          error={proxyError}
          onKeyDown={onEnter}
          onChange={(next) => {
            setProxy(next);
            setProxyError(undefined);
          }}
        />
        {table !== null && (
          <Button variant="ghost" className="self-start" onClick={() => setChanging(false)}>
            Оставить прежнюю
          </Button>
        )}
      </div>
    );
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 text-md [overflow-wrap:anywhere]">
          <span className="font-medium">{table.name}</span>
          <span className="block text-muted text-sm">
            {plural(table.rows, ["строка", "строки", "строк"])}, прочитана {formatMoment(table.readAt)}
          </span>
          {table.proxy !== null && <span className="block text-muted text-sm">Через {table.proxy}</span>}
        </p>
        <Button
          size="sm"
          onClick={() => {
            setAddress(table.url ?? "");
            setProxy(storedProxy(table.proxy));
            setChanging(true);
          }}
        >
          Заменить таблицу
        </Button>
      </div>
      <ChoiceError message={table.failure ?? ofFile} />
      {sample.length > 0 && <TableSample columns={table.columns} rows={sample} />}
      <Field
        label="Столбец, по которому ищем"
        required
        error={errorAt(form, "keyColumn")}
        hint="Его значение называет собеседник: номер заказа, артикул"
      >
        <Select placeholder="Выберите столбец" {...form.register("keyColumn")} value={keyColumn}>
          {optionsOf(table.columns)}
        </Select>
      </Field>
      <fieldset className="flex min-w-0 flex-col gap-2">
        <legend className="mb-1.5 font-medium text-md">Что сообщать собеседнику</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          {table.columns
            .filter((column) => column !== keyColumn)
            .map((column) => (
              <Checkbox
                key={column}
                checked={columns.includes(column)}
                onChange={({ target }) => {
                  const next = table.columns.filter((one) => (one === column ? target.checked : columns.includes(one)));
                  setValue("columns", next, { shouldDirty: true });
                }}
              >
                {column}
              </Checkbox>
            ))}
        </div>
        <ChoiceError message={errorAt(form, "columns")} />
      </fieldset>
    </div>
  );
}

export const optionsOf = (columns: readonly string[], names: Readonly<Record<string, string>> = {}): ReactNode =>
  columns.map((column) => (
    <option key={column} value={column}>
      {names[column] ?? column}
    </option>
  ));

/** The sentence at the field that the server names first, otherwise the whole. */
function sentenceOf(error: unknown): string {
  const fields = error instanceof ApiError ? Object.values(error.serverMessage?.fields ?? {}) : [];
  return fields[0] ?? messageOf(error);
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    // An empty file gives «data:» without anything after it.
    reader.onload = () => resolve(String(reader.result).split(",")[1] ?? "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
