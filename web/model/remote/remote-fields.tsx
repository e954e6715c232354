import { useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { GIGACHAT_SCOPES, PRESETS, type RemotePresetId } from "#contract/models/remote-model-presets.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { type ContextWarning, contextWarning, type FormValues } from "./form-values.ts";

const SCOPES: Record<(typeof GIGACHAT_SCOPES)[number], string> = {
  GIGACHAT_API_PERS: "Физическое лицо",
  GIGACHAT_API_B2B: "ИП или юрлицо, предоплата",
  GIGACHAT_API_CORP: "ИП или юрлицо, постоплата",
};

interface AccessFieldsProps {
  form: UseFormReturn<FormValues>;
  preset: RemotePresetId;
  hasKey: boolean;
  /** Problem that the last check found with the address in the form. */
  addressProblem: string | undefined;
}

/** Whether the provider's address is known, so that only its key is requested. */
export const isHosted = (preset: RemotePresetId): boolean => !PRESETS[preset].keyOptional;

interface AddressFieldProps {
  form: UseFormReturn<FormValues>;
  problem: string | undefined;
}

export function AddressField({ form: { register, formState }, problem }: AddressFieldProps) {
  return (
    <Field label="Адрес" required error={formState.errors.baseUrl?.message ?? problem}>
      <Input inputMode="url" autoComplete="off" spellCheck={false} {...register("baseUrl")} />
    </Field>
  );
}

/** Fields of the key, the model, and the address if the preset does not fix it. */
export function AccessFields({ form, preset, hasKey, addressProblem }: AccessFieldsProps) {
  const { register, formState } = form;
  const { errors } = formState;
  const { keyLabel, keyOptional } = PRESETS[preset];
  return (
    <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
      {!isHosted(preset) && <AddressField form={form} problem={addressProblem} />}
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
        <Field label="Договор" hint={`В личном кабинете рядом с ключом: ${form.watch("scope")}`}>
          <Select {...register("scope")}>
            {GIGACHAT_SCOPES.map((scope) => (
              <option key={scope} value={scope}>
                {SCOPES[scope]}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <Field label="Модель" required error={errors.model?.message}>
        <Input autoComplete="off" spellCheck={false} {...register("model")} />
      </Field>
    </div>
  );
}

export function PriceFields({ form, currency }: { form: UseFormReturn<FormValues>; currency: FormValues["currency"] }) {
  const { register, formState } = form;
  const { errors } = formState;
  const [opened, setOpened] = useState(false);
  const wrong = errors.inputPrice ?? errors.outputPrice ?? errors.dailyMoney;
  return (
    <details open={opened || wrong !== undefined} onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
      <summary className="w-fit cursor-pointer py-1 font-medium text-md">Цены и дневной предел</summary>
      <fieldset className="mt-3 flex flex-col gap-3">
        <legend className="sr-only">Цены и дневной предел</legend>
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-4">
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
    </details>
  );
}

interface ContextFieldProps {
  form: UseFormReturn<FormValues>;
  /** Tokens that the server has told in the last check; null: none was made, or it does not tell. */
  told: number | null;
}

export function ContextField({ form: { register, watch, formState }, told }: ContextFieldProps) {
  const [contextTokens, inputPrice] = watch(["contextTokens", "inputPrice"]);
  const warning = contextWarning({ contextTokens, inputPrice }, told);
  return (
    <Field
      label="Сколько токенов модель читает за раз"
      error={formState.errors.contextTokens?.message}
      hint={
        warning === null ? (
          contextHint(told)
        ) : (
          <span className="text-warning-text">{contextWarnings(told)[warning]}</span>
        )
      }
    >
      <Input
        inputMode="numeric"
        autoComplete="off"
        placeholder={told === null ? "Узнаём у сервера" : String(told)}
        {...register("contextTokens")}
      />
    </Field>
  );
}

const contextHint = (told: number | null): string =>
  told === null
    ? "Пусто: спрашиваем у сервера, а если он не говорит, считаем 16 384."
    : `Сервер говорит: ${formatNumber(told)}. Оставьте пустым, и двойник возьмёт это число.`;

const contextWarnings = (told: number | null): Record<ContextWarning, string> => ({
  "more-than-told": `Сервер говорит, что читает ${formatNumber(told ?? 0)}: лишнее он отрежет или откажет, и двойник спросит короче.`,
  small: "Это мало: часть документов двойника модель не увидит.",
  unpriced: "Без цен запрос не бывает длиннее 10 000 токенов: укажите их, и войдёт больше.",
});
