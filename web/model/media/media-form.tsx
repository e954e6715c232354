import { useState } from "react";
import { useForm } from "react-hook-form";
import {
  type MediaMode,
  type MediaPreset,
  type MediaReader,
  MediaReaderInput,
  YANDEX_SPEECH_URL,
} from "#contract/models/media-readers.ts";
import { ApiError } from "#web/api/api-error.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { toast } from "#web/ui/toasts/toast.ts";
import { CheckResult } from "../remote/check-result.tsx";
import { useMediaReaderActs } from "./queries.ts";

interface Values {
  mode: MediaMode;
  preset: MediaPreset;
  baseUrl: string;
  model: string;
  apiKey: string;
  longestSeconds: string;
  dailyLimit: string;
  keptDays: string;
}

const valuesOf = ({ mode, endpoint, longestSeconds, dailyLimit, keptDays }: MediaReader): Values => ({
  ...{ mode, preset: endpoint?.preset ?? "openai", baseUrl: endpoint?.baseUrl ?? "", model: endpoint?.model ?? "" },
  ...{ apiKey: "", longestSeconds: String(longestSeconds ?? ""), dailyLimit: String(dailyLimit) },
  keptDays: keptDays === null ? "" : String(keptDays),
});

/** Returns NaN for anything but a whole number, which the schema rejects with its message. */
const wholeOf = (text: string): number => (/^\s*\d{1,6}\s*$/.test(text) ? Number(text) : Number.NaN);

const fieldsOf = (error: unknown): Record<string, string> =>
  error instanceof ApiError ? (error.serverMessage?.fields ?? {}) : {};

export function MediaForm({ reader, mayBePrivate }: { reader: MediaReader; mayBePrivate: boolean }) {
  const { kind, endpoint, localReady } = reader;
  const { save, check } = useMediaReaderActs(kind);
  const form = useForm<Values>({ defaultValues: valuesOf(reader) });
  const { register, watch, setError, clearErrors, setValue, getValues, formState } = form;
  const { errors } = formState;
  const [mode, preset, baseUrl] = watch(["mode", "preset", "baseUrl"]);
  // A stored key is never sent to a new address, so it must be entered again.
  const hasKey = endpoint?.hasKey === true && endpoint.preset === preset && endpoint.baseUrl === baseUrl.trim();
  /** The result of a check is dropped when the form changes, because it describes the previous values. */
  const [checked, setChecked] = useState<string>();
  const asText = JSON.stringify(watch());
  const speech = kind === "speech";

  /** Returns null when a field is invalid; the first invalid field then has the focus. */
  function read(): MediaReaderInput | null {
    clearErrors();
    const values = getValues();
    const found = MediaReaderInput.safeParse({
      ...{ mode: values.mode, dailyLimit: wholeOf(values.dailyLimit) },
      ...(values.keptDays.trim() === "" ? {} : { keptDays: wholeOf(values.keptDays) }),
      ...(speech ? { longestSeconds: wholeOf(values.longestSeconds) } : {}),
      ...(values.mode === "endpoint"
        ? { preset: values.preset, baseUrl: values.baseUrl.trim(), model: values.model }
        : {}),
      ...(values.mode === "endpoint" && !(values.apiKey === "" && hasKey) ? { apiKey: values.apiKey } : {}),
    });
    if (found.success) return found.data;
    for (const [at, { path, message }] of found.error.issues.entries())
      setError(path[0] as keyof Values, { message }, { shouldFocus: at === 0 });
    return null;
  }

  function place(error: unknown) {
    for (const [field, message] of Object.entries(fieldsOf(error)))
      setError(field as keyof Values, { message }, { shouldFocus: true });
  }

  function submit() {
    const input = read();
    if (input === null) return;
    save.mutate(input, {
      onSuccess: () => {
        setValue("apiKey", "");
        toast({ title: input.mode === "off" ? "Распознавание выключено" : "Распознавание включено" });
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

  const unplaced = (error: unknown) => (Object.keys(fieldsOf(error)).length > 0 ? null : error);
  const checkedNow = checked === asText && check.data ? { ...check.data, tokens: null } : undefined;
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field label="Кто распознаёт" className="max-w-measure" hint={WHO[mode]}>
        <Select {...register("mode")}>
          <option value="off">Никто</option>
          <option value="local" disabled={!localReady}>
            {localReady ? "Этот сервер" : "Этот сервер (не установлено)"}
          </option>
          <option value="endpoint">Сервис по адресу</option>
        </Select>
      </Field>
      {mode === "endpoint" && (
        <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
          <Field label="Сервис" error={errors.preset?.message}>
            <Select
              {...register("preset", {
                onChange: ({ target }) => setValue("baseUrl", target.value === "yandex" ? YANDEX_SPEECH_URL : ""),
              })}
            >
              <option value="openai">Как у OpenAI: {speech ? "Whisper и другие" : "модель, которая видит"}</option>
              {speech && <option value="yandex">Yandex SpeechKit</option>}
            </Select>
          </Field>
          <Field
            label="Адрес"
            required
            error={errors.baseUrl?.message}
            hint={mayBePrivate ? "Можно и в своей сети, также без https" : undefined}
          >
            <Input inputMode="url" autoComplete="off" spellCheck={false} {...register("baseUrl")} />
          </Field>
          <Field label="Модель" required={preset === "openai"} error={errors.model?.message}>
            <Input
              autoComplete="off"
              spellCheck={false}
              placeholder={preset === "yandex" ? "general" : speech ? "whisper-1" : ""}
              {...register("model")}
            />
          </Field>
          <Field
            label="API-ключ"
            required={preset === "yandex"}
            error={errors.apiKey?.message}
            hint={hasKey ? "Сохранён в зашифрованном виде. Оставьте пустым, чтобы не менять." : undefined}
          >
            <PasswordInput autoComplete="off" what="ключ" {...register("apiKey")} />
          </Field>
        </div>
      )}
      {mode !== "off" && (
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {speech && (
            <Field label="Длина записи, секунд" error={errors.longestSeconds?.message} hint="Более длинные ждут вас">
              <Input inputMode="numeric" autoComplete="off" {...register("longestSeconds")} />
            </Field>
          )}
          <Field label={speech ? "В день, минут" : "В день, картинок"} error={errors.dailyLimit?.message}>
            <Input inputMode="numeric" autoComplete="off" {...register("dailyLimit")} />
          </Field>
          <Field label="Хранить оригиналы, дней" error={errors.keptDays?.message} hint="Пусто — пока есть сообщение">
            <Input inputMode="numeric" autoComplete="off" {...register("keptDays")} />
          </Field>
        </div>
      )}
      <FormError error={unplaced(save.error) ?? unplaced(check.error)} />
      <CheckResult result={checkedNow} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={save.isPending}>
          {save.isPending ? "Сохранение..." : "Сохранить"}
        </Button>
        {mode === "endpoint" && (
          <Button busy={check.isPending} onClick={tryOut}>
            {check.isPending ? "Проверяем..." : "Проверить"}
          </Button>
        )}
      </div>
    </form>
  );
}

const WHO: Record<MediaMode, string> = {
  off: "Двойник видит только название вложения, файлы не загружаются",
  local: "Файлы остаются на этом сервере",
  endpoint: "Записи и картинки собеседников отправляются на этот сервис",
};
