import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { ExternalLink } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Link } from "wouter";
import { type Widget, WidgetInput } from "#contract/integrations/widget.ts";
import type { Twin } from "#contract/twins.ts";
import { PAGE_LANGUAGE } from "#web/i18n/language.ts";
import { autonomyLevel, autonomyLevels } from "#web/parts/autonomy-levels.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { toast } from "#web/ui/toasts/toast.ts";
import { CopyBlock } from "./copy-block.tsx";
import { useSaveWidget, useWidget } from "./queries.ts";
import { WidgetPreview } from "./widget-preview.tsx";

/** The widget's language is the language in which its owner copies the code. */
const IN_LANGUAGE = PAGE_LANGUAGE === "ru" ? "" : ` data-language="${PAGE_LANGUAGE}"`;

export default function WidgetTab({ twin }: { twin: Twin }) {
  const query = useWidget(twin.id);
  if (query.data) return <WidgetSettings key={query.data.id} twin={twin} saved={query.data} />;
  if (query.error)
    return <ErrorCard title="Не удалось загрузить чат" error={query.error} onRetry={() => void query.refetch()} />;
  return <LoadingStatus className="min-h-80">Загружаем чат...</LoadingStatus>;
}

const sitesOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

function WidgetSettings({ twin, saved }: { twin: Twin; saved: Widget }) {
  const save = useSaveWidget(twin.id);
  const { id, ...values } = saved;
  const { register, handleSubmit, setValue, watch, formState } = useForm<WidgetInput>({
    resolver: standardSchemaResolver(WidgetInput),
    defaultValues: values,
  });
  const [sites, setSites] = useState(values.allowedSites.join("\n"));
  const { errors } = formState;
  const siteError = errors.allowedSites?.message ?? errors.allowedSites?.find?.((one) => one !== undefined)?.message;
  const submit = handleSubmit((input) =>
    save.mutate(input, {
      onSuccess: ({ enabled }) => toast({ title: enabled ? "Чат на сайте включён" : "Настройки сохранены" }),
    }),
  );
  return (
    <>
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Card aria-labelledby="widget">
          <CardHeader id="widget" title="Чат на сайте" description="Посетители вашего сайта пишут двойнику" />
          <CardBody>
            <form noValidate onSubmit={submit} className="flex flex-col gap-4">
              <Checkbox {...register("enabled")}>
                Чат включён
                <span className="block text-sm text-subtle">Выключенный чат на сайте не показывается</span>
              </Checkbox>
              <Field
                label="Сайты, где стоит чат"
                error={siteError}
                hint="По одному в строке, например https://shop.example.ru. На других сайтах чат не откроется."
              >
                <Textarea
                  rows={2}
                  spellCheck={false}
                  placeholder="https://shop.example.ru"
                  value={sites}
                  onChange={({ target }) => {
                    setSites(target.value);
                    setValue("allowedSites", sitesOf(target.value), { shouldValidate: formState.isSubmitted });
                  }}
                />
              </Field>
              <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_auto]">
                <Field label="Заголовок" required error={errors.title?.message}>
                  <Input autoComplete="off" {...register("title")} />
                </Field>
                <Field label="Цвет" error={errors.color?.message}>
                  <Input type="color" className="w-20 cursor-pointer p-1!" {...register("color")} />
                </Field>
              </div>
              <Field label="Приветствие" error={errors.greeting?.message}>
                <Textarea rows={2} {...register("greeting")} />
              </Field>
              <Field label="Как отвечает двойник" hint={autonomyLevel(watch("autonomy")).about}>
                <Select {...register("autonomy")}>
                  {autonomyLevels.map(({ value, name }) => (
                    <option key={value} value={value}>
                      {name}
                    </option>
                  ))}
                </Select>
              </Field>
              <Field
                label="Сообщений в день"
                required
                error={errors.dailyMessages?.message}
                hint="От всех посетителей вместе: дальше чат попросит написать завтра. С одного адреса — не больше 15% из них, чтобы один посетитель не занял весь день"
              >
                <Input
                  inputMode="numeric"
                  {...register("dailyMessages", { setValueAs: (value) => (value === "" ? Number.NaN : Number(value)) })}
                />
              </Field>
              <div className="flex flex-wrap gap-2">
                <Button type="submit" variant="primary" busy={save.isPending}>
                  {save.isPending ? "Сохранение..." : "Сохранить"}
                </Button>
                {id !== null && saved.enabled && (
                  <Button asChild>
                    <a href={`/widget/${id}`} target="_blank" rel="noreferrer">
                      <ExternalLink aria-hidden className="icon" />
                      Открыть и проверить
                    </a>
                  </Button>
                )}
              </div>
            </form>
          </CardBody>
        </Card>
        <div className="flex flex-col gap-2 lg:sticky lg:top-20">
          <WidgetPreview
            title={watch("title")}
            greeting={watch("greeting")}
            color={watch("color")}
            publicName={twin.publicName ?? twin.name}
          />
          <p className="text-sm text-subtle">
            Имя, которым двойник называет себя, —{" "}
            <Link href={paths.editTwin(twin.id)} className="font-medium text-primary-text underline">
              «Публичное имя» двойника
            </Link>
          </p>
        </div>
      </div>
      {id !== null && (
        <Card aria-labelledby="widget-code">
          <CardHeader
            id="widget-code"
            title="Код для сайта"
            description="Вставьте его перед </body> на каждой странице, где нужен чат"
          />
          <CardBody>
            <CopyBlock
              label="Строка кода"
              text={`<script src="${location.origin}/widget.js" data-twin="${id}"${IN_LANGUAGE} async></script>`}
            />
          </CardBody>
        </Card>
      )}
    </>
  );
}
