import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { lazy, Suspense, useEffect, useState } from "react";
import { type Resolver, type UseFormReturn, useForm } from "react-hook-form";
import { Link, useSearchParams } from "wouter";
import { IntegrationForm } from "#contract/integrations/integrations.ts";
import { useTwins } from "#web/parts/twins/queries.ts";
import { paths } from "#web/paths.ts";
import { useFormDraft } from "#web/session/form-draft.ts";
import { mayChangeTwin, useReadOnly } from "#web/session/read-only.ts";
import { useSession } from "#web/session/session.tsx";
import { Page } from "#web/shell/page.tsx";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { ReadOnly } from "#web/ui/states/read-only.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { PlatformFields } from "../platform-fields.tsx";
import { type ConnectionWay, emptyForm, platformForm, platformForms } from "../platforms.ts";
import { withProxyChecked } from "../proxy-hints.ts";
import { createPayload, useCreateIntegration, useTryConnection } from "../queries.ts";
import { useCredentialWarnings } from "../use-credential-warnings.ts";
import { PlatformCards } from "./platform-cards.tsx";
import { PlatformGuide, PlatformSteps } from "./platform-guide.tsx";

const CheckResult = lazy(() => import("../check-result.tsx"));
const LiveConnection = lazy(() => import("../live-connection.tsx"));

const secrets = ["apiKey", "apiHash", "webhookUrl", "appSecret", "signingSecret", "appToken", "proxy"] as const;

const rules = standardSchemaResolver(IntegrationForm);

/** Returns the index of the chosen way; before a choice, that of the way whose fields a kept draft has filled in. */
function wayOf(values: IntegrationForm, chosen: number | null): number {
  const begun = (way: ConnectionWay) => way.required.some((name) => values[name] !== "");
  return chosen ?? Math.max(platformForm(values.platform)?.ways?.findIndex(begun) ?? 0, 0);
}

/** Lists what the user must still do before the form can be sent. */
function missingOf(values: IntegrationForm, way: number): string[] {
  const left: string[] = [];
  if (!values.digitalTwinId) left.push("выбрать двойника");
  const form = platformForm(values.platform);
  if (!form) return [...left, "выбрать платформу"];
  const taken = form.ways?.[way];
  const required = taken?.required ?? ["apiKey"];
  if (required.every((name) => values[name].trim() !== "")) return left;
  return [...left, taken?.impliedKey ? "ввести API ID и API Hash" : "вставить ключ"];
}

/** Validates the form: fields that the platform lacks are dropped, and the chosen way says which must not be empty. */
const resolverFor =
  (chosen: number | null): Resolver<IntegrationForm> =>
  async (values, context, options) => {
    const form = platformForm(values.platform);
    const taken = form?.ways?.[wayOf(values, chosen)];
    const { fields = [], account = [], additional = [] } = form ?? {};
    const shown = new Set<string>(["digitalTwinId", "platform", ...fields, ...account, ...additional]);
    const own = Object.entries(values).map(([name, value]) => [name, shown.has(name) ? value : ""]);
    const filled = Object.fromEntries(own) as IntegrationForm;
    if (taken?.impliedKey && filled.apiKey.trim() === "") filled.apiKey = taken.impliedKey;
    const checked = await withProxyChecked(await rules(filled, context, options), filled);
    // The schema does not know ways, so it requires only the key.
    const missing = taken?.required.filter((name) => name !== "apiKey" && filled[name].trim() === "") ?? [];
    if (missing.length === 0) return checked;
    const empty = missing.map((name) => [name, { type: "custom", message: "Заполните это поле" }]);
    return { values: {}, errors: { ...checked.errors, ...Object.fromEntries(empty) } };
  };

export default function AddIntegrationPage() {
  const twins = useTwins();
  const create = useCreateIntegration();
  const trial = useTryConnection();
  const [connectedId, setConnectedId] = useState("");
  const [chosenWay, setChosenWay] = useState<number | null>(null);
  const form = useForm<IntegrationForm>({ resolver: resolverFor(chosenWay), defaultValues: emptyForm });
  const { drop: dropDraft } = useFormDraft(form, "add-integration", secrets);
  useWanted(form);
  const { errors } = form.formState;
  const values = form.watch();
  const { digitalTwinId, platform } = values;
  const chosen = platformForm(platform);
  const way = wayOf(values, chosenWay);
  const warnings = useCredentialWarnings(values);
  const noTwins = twins.data?.length === 0;
  const { user } = useSession();
  const own = twins.data?.filter((twin) => !user || mayChangeTwin(user, twin));
  const missing = missingOf(values, way);
  const only = own?.length === 1 ? own[0]!.id : "";
  const { setValue } = form;
  useEffect(() => {
    if (only && !digitalTwinId) setValue("digitalTwinId", only);
  }, [only, digitalTwinId, setValue]);
  const readOnly = useReadOnly() ?? (own?.length === 0 && !noTwins ? noneOfOwn : null);

  /** Clears secrets when the platform changes, so that they are not sent to another platform. */
  function forgetSecrets() {
    form.clearErrors();
    trial.reset();
    for (const name of secrets) form.setValue(name, "");
  }

  function take(next: number) {
    form.clearErrors();
    trial.reset();
    setChosenWay(next);
  }

  const submit = form.handleSubmit((values) =>
    create.mutate(values, {
      onSuccess: (made) => {
        const trouble = made?.trouble ?? null;
        setConnectedId(made?.id ?? "");
        form.reset(emptyForm);
        setChosenWay(null);
        trial.reset();
        dropDraft();
        toast({
          title: "Интеграция создана!",
          description:
            trouble === null
              ? "Двойник пока только готовит черновики: самостоятельность настраивается в разделе «Интеграции»"
              : `Пока не подключена. ${trouble}`,
        });
      },
      onError: toastError("Ошибка создания интеграции"),
    }),
  );

  const check = form.handleSubmit((values) => trial.mutate(createPayload(values)));

  const acts = (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {/* Clicking the button too early focuses the first missing field. */}
      <Button
        type="submit"
        variant={connectedId ? "outline" : "primary"}
        busy={create.isPending}
        disabled={!chosen || readOnly !== null}
        aria-describedby="integration-missing"
        className="max-sm:w-full"
      >
        {create.isPending ? "Создание..." : "Создать интеграцию"}
      </Button>
      {chosen && readOnly === null && (
        <Button busy={trial.isPending} onClick={() => void check()} className="max-sm:w-full">
          Проверить соединение
        </Button>
      )}
      {readOnly === null && missing.length > 0 && (
        <p id="integration-missing" className="text-md text-muted">
          Осталось: {missing.join(", ")}
        </p>
      )}
    </div>
  );

  return (
    <Page title="Добавить интеграцию" description="Подключите двойника к платформе">
      <Suspense>
        {connectedId && <LiveConnection key={connectedId} id={connectedId} onHide={() => setConnectedId("")} />}
      </Suspense>
      <div className="grid grid-cols-1 items-start gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <form noValidate onSubmit={submit} className="flex min-w-0 flex-col gap-6">
          <Card aria-labelledby="integration-form">
            <CardHeader id="integration-form" title="Новая интеграция" />
            <CardBody className="flex flex-col gap-5">
              <ReadOnly reason={readOnly}>
                <Field
                  label="Цифровой двойник"
                  required
                  error={errors.digitalTwinId?.message}
                  hint={
                    noTwins ? <NoTwins /> : twins.error ? <Retry onRetry={() => void twins.refetch()} /> : undefined
                  }
                >
                  <Select
                    placeholder={twins.isPending ? "Загрузка..." : "Выберите двойника"}
                    {...form.register("digitalTwinId")}
                    value={digitalTwinId}
                    className="sm:max-w-80"
                  >
                    {own?.map(({ id, name }) => (
                      <option key={id} value={id}>
                        {name}
                      </option>
                    ))}
                  </Select>
                </Field>
                <PlatformCards
                  chosen={chosen ? platform : ""}
                  twinId={digitalTwinId || own?.[0]?.id}
                  field={form.register("platform", { onChange: forgetSecrets })}
                />
              </ReadOnly>
              {!chosen && acts}
            </CardBody>
          </Card>
          {chosen && (
            <Card aria-labelledby="integration-fields">
              <CardHeader id="integration-fields" title="Доступ к платформе" />
              <CardBody className="flex flex-col gap-5">
                <fieldset disabled={readOnly !== null} className="contents">
                  <PlatformFields
                    key={platform}
                    of={chosen}
                    register={form.register}
                    errors={errors}
                    warnings={warnings}
                    way={way}
                    onWay={take}
                    guide={
                      <div className="xl:hidden">
                        <PlatformSteps chosen={platform} way={way} />
                      </div>
                    }
                  />
                </fieldset>
                <Suspense fallback={null}>
                  {(trial.isPending || trial.data) && <CheckResult check={trial.data} pending={trial.isPending} />}
                </Suspense>
                {acts}
              </CardBody>
            </Card>
          )}
        </form>
        <PlatformGuide chosen={chosen ? platform : ""} way={way} />
      </div>
    </Page>
  );
}

const noneOfOwn = "Только просмотр: платформы к двойнику подключают его владелец и\u00a0администраторы организации.";

function NoTwins() {
  return (
    <>
      Пока нет ни одного двойника.{" "}
      <Link href={paths.createTwin} className="font-medium text-primary-text underline">
        Создать двойника
      </Link>
    </>
  );
}

function Retry({ onRetry }: { onRetry: () => void }) {
  return (
    <>
      Не удалось загрузить двойников.{" "}
      <button type="button" className="font-medium text-primary-text underline" onClick={onRetry}>
        Повторить
      </button>
    </>
  );
}

/** Applies `?twin=…&platform=…` of the address, which overrides a kept draft because the user has just requested it. */
function useWanted({ setValue }: Pick<UseFormReturn<IntegrationForm>, "setValue">) {
  const [search] = useSearchParams();
  const twin = search.get("twin");
  const wanted = platformForms.find(({ platform }) => platform === search.get("platform"))?.platform;
  useEffect(() => {
    if (twin) setValue("digitalTwinId", twin);
    if (wanted) setValue("platform", wanted);
  }, [twin, wanted, setValue]);
}
