import { Plus, X } from "lucide-react";
import { HttpMethod, TOOL_FIELDS_LIMIT } from "#contract/actions/tool-settings.ts";
import { ProxyField } from "#web/parts/proxy/proxy-field.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { ChangesField, ReadsOnlyField, setChanging } from "../changes-field.tsx";
import { FIELD_TYPES } from "../field-types.ts";
import { errorAt, type ToolFormState, useRows } from "../form-parts.tsx";
import { blankField, type FieldValues, unnamedField, withNamedFields, withNames, withWords } from "../named-fields.ts";

const MAX_HEADERS = 10;

/** The request to the owner's system: method and address, fields of the talk, headers with secrets. */
export function HttpRequest({ form }: { form: ToolFormState }) {
  const { register, watch } = form;
  const [changes, method, proxy] = watch(["changes", "method", "proxy"]);
  return (
    <div className="flex flex-col gap-5">
      <div className="flex gap-3 max-sm:flex-col">
        <Field label="Метод" className="w-28" error={errorAt(form, "method")}>
          <Select
            {...register("method", {
              onChange: ({ target }) => {
                if (target.value !== "GET") setChanging(form);
              },
            })}
          >
            {HttpMethod.options.map((method) => (
              <option key={method}>{method}</option>
            ))}
          </Select>
        </Field>
        <Field
          label="Адрес"
          required
          className="flex-1"
          error={errorAt(form, "url")}
          hint="Поля из разговора стоят в фигурных скобках: https://example.ru/orders/{order_id}"
        >
          <Input
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://example.ru/orders/{order_id}"
            {...register("url", { onBlur: () => addNamedFields(form) })}
          />
        </Field>
      </div>
      <FieldRows form={form} />
      <Headers form={form} />
      <ProxyField
        value={proxy}
        error={errorAt(form, "proxy")}
        onChange={(next) => form.setValue("proxy", next, { shouldDirty: true })}
      />
      <ChangesField form={form} always={!["GET", "POST"].includes(method)} />
      {method === "POST" && !changes && <ReadsOnlyField form={form} />}
      {!changes && (
        <Checkbox {...register("idempotent")}>
          Неудачный вызов можно повторить
          <span className="block text-sm text-subtle">Система отвечает на повтор так же и ничего не делает дважды</span>
        </Checkbox>
      )}
    </div>
  );
}

/** Adds the fields that the address names and the list has not; a name in Cyrillic is written as it is sent. */
function addNamedFields(form: ToolFormState) {
  const { url, fields } = form.getValues();
  const next = withNamedFields(url, fields);
  if (next !== fields) form.setValue("fields", next, { shouldDirty: true });
  if (withNames(url) !== url) form.setValue("url", withNames(url), { shouldDirty: true });
}

/** Keeps the label of each field in the braces of the question. @param before the fields as they were called there */
function renameInQuestion(form: ToolFormState, before: readonly FieldValues[]) {
  const { question, fields } = form.getValues();
  const next = withWords(withNames(question, before), fields);
  if (next !== question) form.setValue("question", next, { shouldDirty: true });
}

/** @param inQuestion whether the fields form a question, so that nothing is sent */
export function FieldRows({ form, inQuestion = false }: { form: ToolFormState; inQuestion?: boolean }) {
  const { register } = form;
  const { rows: fields, append, remove } = useRows(form, "fields");
  // The form changes its own rows where they are.
  const before = fields.map((field) => ({ ...field }));
  return (
    <section aria-labelledby="tool-fields" className="flex flex-col gap-3">
      <div>
        <h3 id="tool-fields" className="font-medium text-md">
          Что узнать в&nbsp;разговоре
        </h3>
        <p className="text-muted text-sm">
          {inQuestion
            ? "Значение двойник берёт только из\u00a0слов собеседника. Чего нет в\u00a0вопросе, встанет под\u00a0ним"
            : "Значение двойник берёт только из\u00a0слов собеседника. Чего нет в\u00a0адресе, уйдёт в\u00a0запросе или в\u00a0его теле"}
        </p>
      </div>
      {fields.map((field, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the inputs are registered by their places
        <fieldset key={at} className="grid min-w-0 gap-3 rounded-lg border p-4 sm:grid-cols-2">
          <legend className="sr-only">Поле {at + 1}</legend>
          {!inQuestion && (
            <Field label="Имя в запросе" required error={errorAt(form, `fields.${at}.name`)}>
              <Input
                autoComplete="off"
                spellCheck={false}
                placeholder="order_id"
                maxLength={40}
                {...register(`fields.${at}.name`)}
              />
            </Field>
          )}
          <Field label="Название для людей" required error={errorAt(form, `fields.${at}.label`)}>
            <Input
              autoComplete="off"
              placeholder={inQuestion ? "Товар" : "Номер заказа"}
              maxLength={60}
              {...register(`fields.${at}.label`, inQuestion ? { onChange: () => renameInQuestion(form, before) } : {})}
            />
          </Field>
          <Field label="Что это" error={errorAt(form, `fields.${at}.type`)}>
            <Select {...register(`fields.${at}.type`)}>
              {Object.entries(FIELD_TYPES).map(([type, name]) => (
                <option key={type} value={type}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
          <Field
            label="Пояснение для модели"
            className={inQuestion ? "sm:col-span-2" : undefined}
            error={errorAt(form, `fields.${at}.description`)}
          >
            <Input autoComplete="off" maxLength={200} {...register(`fields.${at}.description`)} />
          </Field>
          {field.type === "choice" && (
            <Field
              label="Значения, каждое с новой строки"
              required
              className="sm:col-span-2"
              error={errorAt(form, `fields.${at}.choices`)}
            >
              <Textarea rows={3} {...register(`fields.${at}.choices`)} />
            </Field>
          )}
          <div className="flex flex-wrap items-center justify-between gap-3 sm:col-span-2">
            <Checkbox {...register(`fields.${at}.required`)}>Без него не&nbsp;вызывать</Checkbox>
            <Button variant="ghost" size="sm" aria-label={`Убрать поле ${at + 1}`} onClick={() => remove(at)}>
              <X aria-hidden className="icon" />
              Убрать
            </Button>
          </div>
        </fieldset>
      ))}
      {fields.length < TOOL_FIELDS_LIMIT && (
        <Button
          size="sm"
          className="self-start"
          onClick={() => append(inQuestion ? unnamedField(fields) : { ...blankField })}
        >
          <Plus aria-hidden className="icon" />
          Добавить поле
        </Button>
      )}
    </section>
  );
}

function Headers({ form }: { form: ToolFormState }) {
  const { register } = form;
  const { rows: headers, append, remove } = useRows(form, "headers");
  return (
    <section aria-labelledby="tool-headers" className="flex flex-col gap-3">
      <div>
        <h3 id="tool-headers" className="font-medium text-md">
          Ключи и&nbsp;заголовки
        </h3>
        <p className="text-muted text-sm">Значение хранится зашифрованным: после сохранения его не&nbsp;увидит никто</p>
      </div>
      {headers.map(({ stored, missing, value }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the inputs are registered by their places
        <fieldset key={at} className="grid min-w-0 gap-3 rounded-lg border p-4 sm:grid-cols-2">
          <legend className="sr-only">Заголовок {at + 1}</legend>
          <Field label="Заголовок" required error={errorAt(form, `headers.${at}.name`)}>
            <Input
              autoComplete="off"
              spellCheck={false}
              placeholder="Authorization"
              maxLength={60}
              // A stored value belongs to the name under which it was stored.
              readOnly={stored}
              {...register(`headers.${at}.name`)}
            />
          </Field>
          <Field
            label="Значение"
            required
            error={errorAt(form, `headers.${at}.value`)}
            hint={
              stored
                ? "Сохранено. Введите новое, чтобы заменить"
                : missing && value === "" && <Badge tone="warning">Нужен ключ</Badge>
            }
          >
            <PasswordInput
              what="значение"
              autoComplete="off"
              placeholder={stored ? "••••••••" : ""}
              maxLength={2000}
              {...register(`headers.${at}.value`)}
            />
          </Field>
          <Button
            variant="ghost"
            size="sm"
            className="justify-self-start"
            aria-label={`Убрать заголовок ${at + 1}`}
            onClick={() => remove(at)}
          >
            <X aria-hidden className="icon" />
            Убрать
          </Button>
        </fieldset>
      ))}
      {headers.length < MAX_HEADERS && (
        <Button
          size="sm"
          className="self-start"
          onClick={() => append({ name: headers.length === 0 ? "Authorization" : "", value: "", stored: false })}
        >
          <Plus aria-hidden className="icon" />
          Добавить заголовок
        </Button>
      )}
    </section>
  );
}
