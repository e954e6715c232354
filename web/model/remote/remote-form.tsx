import { useState } from "react";
import { useForm } from "react-hook-form";
import { type RemoteModel, RemoteModelInput } from "#contract/models/remote-model.ts";
import {
  GIGACHAT_SCOPES,
  PRESETS,
  REMOTE_PRESETS,
  type RemotePresetId,
} from "#contract/models/remote-model-presets.ts";
import { ApiError } from "#web/api/api-error.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { toast } from "#web/ui/toasts/toast.ts";
import { CheckResult } from "./check-result.tsx";
import { type FormValues, inputOf, valuesOf, valuesOfPreset } from "./form-values.ts";
import { PresetGuide } from "./preset-guide.tsx";
import { useRemoteModelActs } from "./queries.ts";
import { RemoveButton } from "./remove-button.tsx";

const SCOPES: Record<(typeof GIGACHAT_SCOPES)[number], string> = {
  GIGACHAT_API_PERS: "Физическое лицо (GIGACHAT_API_PERS)",
  GIGACHAT_API_B2B: "ИП или юрлицо, предоплата (GIGACHAT_API_B2B)",
  GIGACHAT_API_CORP: "ИП или юрлицо, постоплата (GIGACHAT_API_CORP)",
};

const NO_NUMBER = "Введите число, например 0,2";

/** Error messages of the server, by the field that each belongs to. */
const fieldsOf = (error: unknown): Record<string, string> =>
  error instanceof ApiError ? (error.serverMessage?.fields ?? {}) : {};
const VISIBLE_FIELDS: readonly string[] = ["baseUrl", "model", "apiKey", "inputPrice", "outputPrice", "dailyMoney"];
/** The error of a call, or null when a visible field shows it. */
const unplaced = (error: unknown) =>
  Object.keys(fieldsOf(error)).some((field) => VISIBLE_FIELDS.includes(field)) ? null : error;

/** Address, model, key, prices and the day's limit; what is wrong stands at its field. */
export function RemoteForm({ remote }: { remote: RemoteModel }) {
  const { save, check } = useRemoteModelActs();
  const form = useForm<FormValues>({ defaultValues: valuesOf(remote) });
  const { register, watch, reset, setError, clearErrors, getValues, formState } = form;
  const { errors } = formState;
  const [preset, currency, baseUrl] = watch(["preset", "currency", "baseUrl"]);
  const { keyLabel, keyOptional, name } = PRESETS[preset];
  const { settings } = remote;
  // A stored key is never sent to a new address, so it must be entered again.
  const hasKey = settings?.hasKey === true && settings.preset === preset && settings.baseUrl === baseUrl.trim();
  /** The result of a check is dropped when the form changes, because it describes the previous values. */
  const [checked, setChecked] = useState<string>();
  const asText = JSON.stringify(watch());

  function choose(next: RemotePresetId) {
    const kept = settings?.preset === next ? valuesOf(remote) : valuesOfPreset(next);
    reset(kept);
    check.reset();
    save.reset();
  }

  /** Returns null when a field is invalid; the first invalid field then has the focus. */
  function read(): RemoteModelInput | null {
    clearErrors();
    const input = inputOf(getValues(), hasKey);
    for (const field of ["inputPrice", "outputPrice", "dailyMoney"] as const) {
      if (!Number.isNaN(input[field])) continue;
      setError(field, { message: NO_NUMBER }, { shouldFocus: true });
      return null;
    }
    if (!keyOptional && input.apiKey === "") {
      setError(
        "apiKey",
        { message: `Введите ${keyLabel === "API-ключ" ? "API-ключ" : "ключ"}` },
        { shouldFocus: true },
      );
      return null;
    }
    const found = RemoteModelInput.safeParse(input);
    if (found.success) return found.data;
    for (const [at, { path, message }] of found.error.issues.entries())
      setError(path[0] as keyof FormValues, { message }, { shouldFocus: at === 0 });
    return null;
  }

  function place(error: unknown) {
    for (const [field, message] of Object.entries(fieldsOf(error)))
      setError(field as keyof FormValues, { message }, { shouldFocus: true });
  }

  function submit() {
    const input = read();
    if (input === null) return;
    save.mutate(input, {
      onSuccess: () => {
        form.setValue("apiKey", "");
        toast({ title: input.enabled ? "Модель подключена" : "Настройки сохранены" });
      },
      onError: place,
    });
  }

  function tryOut() {
    const input = read();
    if (input === null) return;
    setChecked(asText);
    check.mutate(input, { onError: place });
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field label="Поставщик" className="max-w-measure">
        <Select value={preset} onChange={({ target }) => choose(target.value as RemotePresetId)}>
          {REMOTE_PRESETS.map((id) => (
            <option key={id} value={id}>
              {PRESETS[id].name}
            </option>
          ))}
        </Select>
      </Field>
      <PresetGuide preset={preset} mayBePrivate={remote.mayBePrivate} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-[repeat(2,minmax(0,1fr))]">
        <Field label="Адрес" required error={errors.baseUrl?.message}>
          <Input inputMode="url" autoComplete="off" spellCheck={false} {...register("baseUrl")} />
        </Field>
        <Field label="Модель" required error={errors.model?.message}>
          <Input autoComplete="off" spellCheck={false} {...register("model")} />
        </Field>
        {keyLabel !== null && (
          <Field
            label={keyLabel}
            required={!keyOptional}
            error={errors.apiKey?.message}
            hint={hasKey ? "Сохранён в зашифрованном виде. Оставьте пустым, чтобы не менять." : undefined}
          >
            <PasswordInput autoComplete="off" what="ключ" {...register("apiKey")} />
          </Field>
        )}
        {preset === "gigachat" && (
          <Field label="Договор" hint="Указан в личном кабинете рядом с ключом">
            <Select {...register("scope")}>
              {GIGACHAT_SCOPES.map((scope) => (
                <option key={scope} value={scope}>
                  {SCOPES[scope]}
                </option>
              ))}
            </Select>
          </Field>
        )}
      </div>
      <fieldset className="flex flex-col gap-3">
        <legend className="mb-1.5 font-medium text-md">Цены и дневной предел</legend>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-[repeat(2,minmax(0,1fr))] lg:grid-cols-[repeat(4,minmax(0,1fr))]">
          <Field label="Вопрос, за 1000 токенов" error={errors.inputPrice?.message}>
            <Input inputMode="decimal" autoComplete="off" {...register("inputPrice")} />
          </Field>
          <Field label="Ответ, за 1000 токенов" error={errors.outputPrice?.message}>
            <Input inputMode="decimal" autoComplete="off" {...register("outputPrice")} />
          </Field>
          <Field label="Валюта">
            <Select {...register("currency")}>
              <option value="RUB">Рубли, ₽</option>
              <option value="USD">Доллары, $</option>
            </Select>
          </Field>
          <Field label={`Не больше в день, ${currency === "RUB" ? "₽" : "$"}`} error={errors.dailyMoney?.message}>
            <Input inputMode="decimal" autoComplete="off" {...register("dailyMoney")} />
          </Field>
        </div>
        <p className="max-w-measure text-sm text-subtle">
          Цены возьмите из договора или кабинета поставщика: по ним мы считаем расход. Пустые поля — расход считается
          только в токенах.
        </p>
      </fieldset>
      <Checkbox {...register("enabled")}>
        Двойники отвечают этой моделью
        <span className="block text-sm text-subtle">
          Вопросы и найденные отрывки уходят на {preset === "compatible" ? "этот сервер" : `сервер ${name}`}; телефоны,
          почта, карты и номера документов перед этим скрываются, если сервер чужой.
        </span>
      </Checkbox>
      <FormError error={unplaced(save.error) ?? unplaced(check.error)} />
      <CheckResult result={checked === asText ? check.data : undefined} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" busy={save.isPending}>
          {save.isPending ? "Сохранение..." : "Сохранить"}
        </Button>
        <Button busy={check.isPending} onClick={tryOut}>
          {check.isPending ? "Проверяем..." : "Проверить"}
        </Button>
        {settings !== null && <RemoveButton onRemoved={() => reset(valuesOfPreset("gigachat"))} />}
      </div>
    </form>
  );
}
