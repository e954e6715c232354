import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { Link } from "wouter";
import { TwinInput } from "#contract/twins.ts";
import { useCreateTwin } from "#web/parts/twins/queries.ts";
import { paths } from "#web/paths.ts";
import { useFormDraft } from "#web/session/form-draft.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { Page } from "#web/shell/page.tsx";
import { BackLink } from "#web/ui/back-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card, CardBody } from "#web/ui/layout/card.tsx";
import { ReadOnly } from "#web/ui/states/read-only.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { useSingleFlight } from "#web/use-single-flight.ts";
import { NextSteps } from "./next-steps.tsx";
import { SuggestRest } from "./suggest-rest.tsx";
import { TwinFields } from "./twin-fields.tsx";

const empty: TwinInput = {
  name: "",
  description: "",
  personality: "",
  communicationStyle: "",
  knowledgeArea: "",
  publicName: "",
  purpose: "business",
};

export default function CreateTwinPage() {
  const create = useCreateTwin();
  const readOnly = useReadOnly();
  const form = useForm<TwinInput>({ resolver: standardSchemaResolver(TwinInput), defaultValues: empty });
  const { drop: dropDraft } = useFormDraft(form, "create-twin");
  const purpose = useWatch({ control: form.control, name: "purpose" }) ?? "business";

  /** Number of times that the form was cleared; a new number also discards suggestions. */
  const [cleared, setCleared] = useState(0);

  function clear() {
    setCleared((before) => before + 1);
    form.reset(empty);
    dropDraft();
  }

  const send = useSingleFlight(({ publicName, purpose, ...values }: TwinInput) =>
    create
      .mutateAsync({
        ...values,
        ...(publicName ? { publicName } : {}),
        ...(purpose === "friends" ? { purpose } : {}),
      })
      .then(() => {
        clear();
        toast({ title: "Цифровой двойник создан!", description: "Агент успешно создан и готов к обучению" });
      }, toastError("Ошибка создания")),
  );
  const submit = form.handleSubmit(send);

  return (
    <Page title="Создание двойника" description="Кто будет отвечать и в какой манере: нужны все пять полей">
      <BackLink href={paths.twins}>Все двойники</BackLink>
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-6">
        <Card aria-label="Данные двойника">
          <CardBody>
            <form noValidate onSubmit={submit} className="flex flex-col gap-5">
              <ReadOnly reason={readOnly}>
                <TwinFields
                  register={form.register}
                  errors={form.formState.errors}
                  purpose={purpose}
                  knowledgeAreaRequired
                  afterDescription={<SuggestRest key={cleared} form={form} purpose={purpose} />}
                />
                <div className="flex flex-wrap gap-2">
                  <Button type="submit" variant="primary" busy={create.isPending}>
                    {create.isPending ? "Создание..." : "Создать Агента"}
                  </Button>
                  <Button onClick={clear} disabled={create.isPending}>
                    Очистить
                  </Button>
                </div>
              </ReadOnly>
            </form>
          </CardBody>
        </Card>
        <div className="flex flex-col gap-4">
          <p className="rounded-lg bg-sunken px-4 py-3 text-md md:px-5">
            Есть переписка?{" "}
            <Link href={paths.onboarding} className="font-medium underline underline-offset-4">
              Двойник возьмёт манеру из неё
            </Link>
          </p>
          <NextSteps created={create.data ?? undefined} />
        </div>
      </div>
    </Page>
  );
}
