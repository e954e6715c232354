import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import type * as z from "zod/mini";
import { MAX_SITE_PAGES, WebsiteInput, websitesApi } from "#contract/knowledge/websites.ts";
import type { Twin } from "#contract/twins.ts";
import { call } from "#web/api/call.ts";
import { refreshed } from "#web/api/refresh.ts";
import { documentTypes } from "#web/parts/documents/document-names.ts";
import { useTwins } from "#web/parts/twins/queries.ts";
import { TwinField } from "#web/parts/twins/twin-field.tsx";
import { mayChangeTwin } from "#web/session/read-only.ts";
import { useSession } from "#web/session/session.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { Dialog, DialogContent, DialogFooter } from "#web/ui/overlays/dialog.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";

type Values = z.input<typeof WebsiteInput>;
const resolver = standardSchemaResolver(WebsiteInput);

/** Dialog for a website's address, and the user's confirmation that it may be read. */
export default function SiteDialog({ onClose }: { onClose: () => void }) {
  const { user } = useSession();
  const { data, error, refetch } = useTwins();
  const twins = data?.filter((twin) => !user || mayChangeTwin(user, twin));
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title="Прочитать сайт"
        description={`До ${MAX_SITE_PAGES} страниц одного сайта, не чаще одной в секунду. Закрытое в robots.txt и с пометкой noindex не читаем.`}
      >
        {twins ? (
          <SiteForm twins={twins} onClose={onClose} />
        ) : error ? (
          <ErrorCard title="Не удалось загрузить двойников" error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingStatus className="py-10">Загрузка...</LoadingStatus>
        )}
      </DialogContent>
    </Dialog>
  );
}

function SiteForm({ twins, onClose }: { twins: Twin[]; onClose: () => void }) {
  const only = twins.length === 1 ? twins[0]!.id : "";
  const form = useForm<Values>({
    resolver,
    // `false` fails the schema, which reports the unticked checkbox with its message.
    defaultValues: { digitalTwinId: only, url: "", type: "product", own: false as never },
  });
  const { errors } = form.formState;
  const add = useMutation({
    mutationFn: (input: Values) => call(websitesApi.create, { input }),
    onSuccess: async () => {
      await refreshed();
      onClose();
    },
  });
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={form.handleSubmit((values) => add.mutateAsync(values).catch(() => undefined))}
    >
      <Field label="Адрес сайта" error={errors.url?.message} hint="Если пишете без https://, добавим сами">
        <Input
          type="text"
          inputMode="url"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          placeholder="example.ru"
          {...form.register("url")}
        />
      </Field>
      <TwinField twins={twins} error={errors.digitalTwinId?.message} {...form.register("digitalTwinId")} />
      <Field label="О чём страницы" error={errors.type?.message}>
        <Select {...form.register("type")}>
          {documentTypes.map(({ type, name }) => (
            <option key={type} value={type}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <div>
        <Checkbox aria-invalid={errors.own ? true : undefined} {...form.register("own")}>
          Это мой сайт, или мне разрешено использовать его тексты
        </Checkbox>
        {errors.own && (
          <p role="alert" className="mt-1 text-danger-text text-sm">
            {errors.own.message}
          </p>
        )}
      </div>
      <FormError error={add.error} />
      <DialogFooter className="mt-2!">
        <Button onClick={onClose}>Отмена</Button>
        <Button type="submit" variant="primary" busy={add.isPending} disabled={add.isPending}>
          Прочитать
        </Button>
      </DialogFooter>
    </form>
  );
}
