import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { type RemoteCheck, type RemoteModel, RemoteModelInput } from "#contract/models/remote-model.ts";
import { PRESETS, REMOTE_PRESETS, type RemotePresetId } from "#contract/models/remote-model-presets.ts";
import { ApiError } from "#web/api/api-error.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { toast } from "#web/ui/toasts/toast.ts";
import { CheckResult } from "./check-result.tsx";
import { type FormValues, inputOf, isRefused, NUMBER_FIELDS, valuesOf, valuesOfPreset } from "./form-values.ts";
import { Certificate, PresetGuide } from "./preset-guide.tsx";
import { useRemoteModelActs } from "./queries.ts";
import { AccessFields, AddressField, ContextField, isHosted, PriceFields } from "./remote-fields.tsx";
import { RemoveButton } from "./remove-button.tsx";

const NO_NUMBER = "Введите число, например 0,2";

const fieldsOf = (error: unknown): Record<string, string> =>
  error instanceof ApiError ? (error.serverMessage?.fields ?? {}) : {};
const VISIBLE_FIELDS: readonly string[] = ["baseUrl", "model", "apiKey", ...NUMBER_FIELDS];
/** The error of a call, or null when a visible field shows it. */
const unplaced = (error: unknown) =>
  Object.keys(fieldsOf(error)).some((field) => VISIBLE_FIELDS.includes(field)) ? null : error;

/** Problems of a check that are shown at the address field; all others are shown beside the check's button. */
const OF_THE_ADDRESS: readonly RemoteCheck["problem"][] = ["address", "private", "dns", "refused", "path"];
const isOfTheAddress = ({ problem }: RemoteCheck) => OF_THE_ADDRESS.includes(problem);

export function RemoteForm({ remote }: { remote: RemoteModel }) {
  const { save, check } = useRemoteModelActs();
  const form = useForm<FormValues>({ defaultValues: valuesOf(remote) });
  const { register, watch, reset, setError, clearErrors, getValues } = form;
  const [preset, currency, baseUrl, apiKey, model] = watch(["preset", "currency", "baseUrl", "apiKey", "model"]);
  const { keyLabel, keyOptional, name } = PRESETS[preset];
  const { settings } = remote;
  // A stored key is never sent to a new address, so it must be entered again.
  const hasKey = settings?.hasKey === true && settings.preset === preset && settings.baseUrl === baseUrl.trim();
  /** The result of a check is dropped when the form changes, because it describes the previous values. */
  const [checked, setChecked] = useState<string>();
  const asText = JSON.stringify(watch());

  function choose(next: RemotePresetId) {
    const kept = settings?.preset === next ? valuesOf(remote) : valuesOfPreset(next, remote.mayBePrivate);
    reset(kept);
    check.reset();
    save.reset();
  }

  /** Returns null when a field is invalid; the first invalid field then has the focus. */
  function read(): RemoteModelInput | null {
    clearErrors();
    const input = inputOf(getValues(), hasKey);
    for (const field of NUMBER_FIELDS) {
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
    const onSuccess = (found: RemoteCheck) => isOfTheAddress(found) && form.setFocus("baseUrl");
    check.mutate(input, { onSuccess, onError: place });
  }

  const { errors } = form.formState;
  const result = checked === asText ? check.data : undefined;
  // Holds for this address and model, whatever else of the form has changed since the check.
  const isOfThis = check.variables?.baseUrl === baseUrl.trim() && check.variables.model === model.trim();
  const told = isOfThis ? (check.data?.contextTokens ?? null) : null;
  const ofTheAddress = result !== undefined && isOfTheAddress(result);
  const addressProblem = ofTheAddress ? result.sentence : undefined;
  const wrong = Object.keys(errors).length > 0 || (result !== undefined && result.problem !== null);
  const hosted = isHosted(preset);
  const keyMissing = !keyOptional && keyLabel !== null && !hasKey && apiKey.trim() === "";
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
              {isRefused(id, remote.mayBePrivate) ? `${PRESETS[id].name}: нужен внешний адрес` : PRESETS[id].name}
            </option>
          ))}
        </Select>
      </Field>
      <Step title={hosted ? "1. Возьмите ключ" : "1. Узнайте адрес сервера"}>
        <PresetGuide preset={preset} mayBePrivate={remote.mayBePrivate} />
      </Step>
      <Step title="2. Вставьте сюда">
        <AccessFields form={form} preset={preset} hasKey={hasKey} addressProblem={addressProblem} />
        <details open={Boolean(errors.contextTokens ?? (hosted ? (errors.baseUrl ?? addressProblem) : undefined))}>
          <summary className="w-fit cursor-pointer py-1 font-medium text-md">Для специалиста</summary>
          <div className="mt-3 flex max-w-measure flex-col gap-4">
            {hosted && <AddressField form={form} problem={addressProblem} />}
            <ContextField form={form} told={told} />
            {hosted && <Certificate preset={preset} mayBePrivate={remote.mayBePrivate} />}
          </div>
        </details>
      </Step>
      <PriceFields form={form} currency={currency} />
      <Checkbox {...register("enabled")}>
        Двойники отвечают этой моделью
        <span className="block text-sm text-subtle">
          Вопросы и найденные отрывки уходят на {preset === "compatible" ? "этот сервер" : `сервер ${name}`}; телефоны,
          почта, карты и номера документов перед этим скрываются, если сервер чужой.
        </span>
      </Checkbox>
      <FormError error={unplaced(save.error) ?? unplaced(check.error)} />
      <CheckResult result={ofTheAddress ? undefined : result} />
      <Step title="3. Проверьте и сохраните">
        <div className="flex flex-wrap items-center gap-3">
          <Button
            type="submit"
            // While a check has found a fault, saving is not the primary action.
            variant={wrong ? "outline" : "primary"}
            busy={save.isPending}
            disabled={keyMissing}
            aria-describedby="remote-key-missing"
          >
            {save.isPending ? "Сохранение..." : "Сохранить"}
          </Button>
          <Button busy={check.isPending} onClick={tryOut}>
            {check.isPending ? "Проверяем..." : "Проверить"}
          </Button>
          {settings !== null && (
            <RemoveButton onRemoved={() => reset(valuesOfPreset("gigachat", remote.mayBePrivate))} />
          )}
          {keyMissing && (
            <p id="remote-key-missing" className="text-md text-muted">
              Сначала вставьте ключ
            </p>
          )}
        </div>
      </Step>
    </form>
  );
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3">
      <h3 className="text-base">{title}</h3>
      {children}
    </section>
  );
}
