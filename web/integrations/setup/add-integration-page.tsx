import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { clsx } from "clsx";
import { lazy, Suspense, useEffect, useState } from "react";
import { type Resolver, type UseFormReturn, useForm } from "react-hook-form";
import { Link, useSearchParams } from "wouter";
import { IntegrationForm, USERBOT_API_KEY } from "#contract/integrations/integrations.ts";
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
import { platformName } from "#web/ui/platform-icon.tsx";
import { ReadOnly } from "#web/ui/states/read-only.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { PlatformFields } from "../platform-fields.tsx";
import { emptyForm, platformForm, platformForms } from "../platforms.ts";
import { withProxyChecked } from "../proxy-hints.ts";
import { createPayload, useCreateIntegration, useTryConnection } from "../queries.ts";
import { PlatformCards } from "./platform-cards.tsx";
import { PlatformGuide } from "./platform-guide.tsx";

const CheckResult = lazy(() => import("../check-result.tsx"));
const LiveConnection = lazy(() => import("../live-connection.tsx"));

const secrets = ["apiKey", "apiHash", "webhookUrl", "appSecret", "signingSecret", "appToken", "proxy"] as const;

const rules = standardSchemaResolver(IntegrationForm);

/** The fields that the platform does not show are not sent, and a user account gets the key that its platform implies. */
const resolver: Resolver<IntegrationForm> = async (values, context, options) => {
  const { fields = [], account = [], additional = [] } = platformForm(values.platform) ?? {};
  const shown = new Set<string>(["digitalTwinId", "platform", ...fields, ...account, ...additional]);
  const own = Object.entries(values).map(([name, value]) => [name, shown.has(name) ? value : ""]);
  const filled = Object.fromEntries(own) as IntegrationForm;
  const userbot = filled.platform === "telegram" && filled.apiId.trim() !== "" && filled.apiHash.trim() !== "";
  if (userbot && filled.apiKey.trim() === "") filled.apiKey = USERBOT_API_KEY;
  return withProxyChecked(await rules(filled, context, options), filled);
};

export default function AddIntegrationPage() {
  const twins = useTwins();
  const create = useCreateIntegration();
  const trial = useTryConnection();
  const [connectedId, setConnectedId] = useState("");
  const form = useForm<IntegrationForm>({ resolver, defaultValues: emptyForm });
  const { drop: dropDraft } = useFormDraft(form, "add-integration", secrets);
  useWanted(form);
  const { errors } = form.formState;
  const { digitalTwinId, platform } = form.watch();
  const chosen = platformForm(platform);
  const noTwins = twins.data?.length === 0;
  const { user } = useSession();
  const own = twins.data?.filter((twin) => !user || mayChangeTwin(user, twin));
  const readOnly = useReadOnly() ?? (own?.length === 0 && !noTwins ? noneOfOwn : null);

  /** What was typed as a secret of one platform is none of another's. */
  function forgetSecrets() {
    form.clearErrors();
    trial.reset();
    for (const name of secrets) form.setValue(name, "");
  }

  /** "": none yet, the cards of all channels are shown again. */
  function choose(next: IntegrationForm["platform"] | "") {
    forgetSecrets();
    form.setValue("platform", next as IntegrationForm["platform"], { shouldDirty: true });
  }

  const submit = form.handleSubmit((values) =>
    create.mutate(values, {
      onSuccess: (made) => {
        const trouble = made?.trouble ?? null;
        setConnectedId(made?.id ?? "");
        form.reset(emptyForm);
        trial.reset();
        dropDraft();
        toast({
          title: "Интеграция создана!",
          description:
            trouble === null
              ? "Двойник пока только готовит черновики: самостоятельность настраивается в разделе «Интеграции»"
              : `Пока не подключена. ${trouble}`,
          // Nothing green beside trouble.
          ...(trouble === null ? {} : { variant: "destructive" as const }),
        });
      },
      onError: toastError("Ошибка создания интеграции"),
    }),
  );

  const check = form.handleSubmit((values) => trial.mutate(createPayload(values)));

  return (
    <Page title="Добавить интеграцию" description="Подключите двойника к платформе">
      <Suspense>
        {connectedId && <LiveConnection key={connectedId} id={connectedId} onHide={() => setConnectedId("")} />}
      </Suspense>
      <div
        className={clsx(
          "grid grid-cols-1 items-start gap-x-10 gap-y-8",
          chosen && "lg:grid-cols-[minmax(0,1fr)_22rem]",
        )}
      >
        <Card aria-labelledby="integration-form">
          <CardHeader id="integration-form" title="Новая интеграция" />
          <CardBody>
            <form noValidate onSubmit={submit} className="flex flex-col gap-5">
              <ReadOnly reason={readOnly}>
                {!chosen && (
                  <PlatformCards
                    twinId={digitalTwinId || own?.[0]?.id}
                    disabled={readOnly !== null}
                    onChoose={(next) => choose(next)}
                  />
                )}
                <div className="grid items-start gap-5 sm:grid-cols-2">
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
                    >
                      {own?.map(({ id, name }) => (
                        <option key={id} value={id}>
                          {name}
                        </option>
                      ))}
                    </Select>
                  </Field>
                  <Field label="Платформа" required error={errors.platform?.message} hint={chosen?.about}>
                    <div className="flex gap-2">
                      <Select
                        placeholder="Выберите платформу"
                        className="flex-1"
                        {...form.register("platform", { onChange: forgetSecrets })}
                      >
                        {platformForms.map((each) => (
                          <option key={each.platform} value={each.platform}>
                            {platformName(each.platform)}
                          </option>
                        ))}
                      </Select>
                      {chosen && (
                        <Button variant="ghost" onClick={() => choose("")}>
                          Все каналы
                        </Button>
                      )}
                    </div>
                  </Field>
                </div>
              </ReadOnly>
              {chosen && (
                <fieldset disabled={readOnly !== null} className="contents">
                  <PlatformFields key={platform} of={chosen} register={form.register} errors={errors} />
                </fieldset>
              )}
              <Suspense fallback={null}>
                {(trial.isPending || trial.data) && <CheckResult check={trial.data} pending={trial.isPending} />}
              </Suspense>
              <div className="flex flex-wrap gap-2">
                <Button
                  type="submit"
                  variant={connectedId ? "outline" : "primary"}
                  busy={create.isPending}
                  disabled={!chosen || readOnly !== null}
                  className="max-sm:w-full"
                >
                  {create.isPending ? "Создание..." : "Создать интеграцию"}
                </Button>
                {chosen && readOnly === null && (
                  <Button busy={trial.isPending} onClick={() => void check()} className="max-sm:w-full">
                    Проверить соединение
                  </Button>
                )}
              </div>
            </form>
          </CardBody>
        </Card>
        <PlatformGuide chosen={platform} />
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

/** Chooses what the address names, `?twin=…&platform=…`: it was asked for after whatever a kept draft says. */
function useWanted({ setValue }: Pick<UseFormReturn<IntegrationForm>, "setValue">) {
  const [search] = useSearchParams();
  const twin = search.get("twin");
  const wanted = platformForms.find(({ platform }) => platform === search.get("platform"))?.platform;
  useEffect(() => {
    if (twin) setValue("digitalTwinId", twin);
    if (wanted) setValue("platform", wanted);
  }, [twin, wanted, setValue]);
}
