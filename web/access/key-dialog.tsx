import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useState } from "react";
import { useForm } from "react-hook-form";
import type * as z from "zod/mini";
import { API_KEY_LIFETIMES, ApiKeyInput } from "#contract/integrations/api-keys.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { Dialog, DialogClose, DialogContent, DialogFooter } from "#web/ui/overlays/dialog.tsx";
import { SubmitFooter } from "#web/ui/overlays/submit-footer.tsx";
import { CopyBlock } from "./copy-block.tsx";
import { useCreateKey } from "./queries.ts";
import { scopes } from "./scopes.ts";

type Values = z.input<typeof ApiKeyInput>;

const NO_EXPIRY = "";
const numberOf = (value: unknown) => (value === "" || value === null ? Number.NaN : Number(value));

/** The form of a new API key, which then shows the key for the only time. */
export default function KeyDialog({ twinId, onClose }: { twinId: string; onClose: () => void }) {
  const create = useCreateKey(twinId);
  const [token, setToken] = useState<string>();
  const close = (open: boolean) => {
    if (!open) onClose();
  };
  return (
    <Dialog open onOpenChange={close}>
      {token === undefined ? (
        <DialogContent
          title="Новый ключ"
          description="С ключом программа обращается к этому двойнику, и ни к чему больше."
        >
          <KeyForm
            busy={create.isPending}
            error={create.error}
            onSubmit={(values) => create.mutate(values, { onSuccess: (made) => setToken(made.token) })}
          />
        </DialogContent>
      ) : (
        <DialogContent
          title="Ключ создан"
          description="Скопируйте его сейчас: больше мы его не покажем. Храните как пароль и не вставляйте в код страниц."
          // A click outside the dialog must not close it, because the key would be lost permanently.
          onPointerDownOutside={(event) => event.preventDefault()}
        >
          <CopyBlock label="Ключ" text={token} />
          <DialogFooter>
            <DialogClose asChild>
              <Button variant="primary">Ключ сохранён</Button>
            </DialogClose>
          </DialogFooter>
        </DialogContent>
      )}
    </Dialog>
  );
}

interface KeyFormProps {
  busy: boolean;
  error: unknown;
  onSubmit: (values: ApiKeyInput) => void;
}

function KeyForm({ busy, error, onSubmit }: KeyFormProps) {
  const { register, handleSubmit, formState } = useForm<Values, unknown, ApiKeyInput>({
    resolver: standardSchemaResolver(ApiKeyInput),
    defaultValues: { name: "", scopes: ["ask"], expiresInDays: 90, dailyMessages: 500, dailyTokens: 500_000 },
  });
  const { errors } = formState;
  return (
    <form noValidate onSubmit={handleSubmit(onSubmit)} className="flex flex-col gap-4">
      <Field
        label="Название"
        required
        error={errors.name?.message}
        hint="Чтобы вы узнали его в списке: «Сайт», «Бот склада»"
      >
        <Input autoComplete="off" {...register("name")} />
      </Field>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1.5 font-medium text-md">Что можно с этим ключом</legend>
        {scopes.map(({ id, name, about }) => (
          <Checkbox key={id} value={id} {...register("scopes")}>
            {name}
            <span className="block text-sm text-subtle">{about}</span>
          </Checkbox>
        ))}
        {errors.scopes && (
          <p role="alert" className="text-danger-text text-sm">
            {errors.scopes.message}
          </p>
        )}
      </fieldset>
      <Field label="Срок действия" error={errors.expiresInDays?.message}>
        <Select
          {...register("expiresInDays", { setValueAs: (value) => (value === NO_EXPIRY ? undefined : Number(value)) })}
        >
          {API_KEY_LIFETIMES.map((days) => (
            <option key={days} value={days}>
              {days === 365 ? "1 год" : `${days} дней`}
            </option>
          ))}
          <option value={NO_EXPIRY}>Без срока</option>
        </Select>
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Сообщений в день" required error={errors.dailyMessages?.message}>
          <Input inputMode="numeric" {...register("dailyMessages", { setValueAs: numberOf })} />
        </Field>
        <Field
          label="Токенов в день"
          required
          error={errors.dailyTokens?.message}
          hint="Токен — около двух букв по-русски"
        >
          <Input inputMode="numeric" {...register("dailyTokens", { setValueAs: numberOf })} />
        </Field>
      </div>
      <FormError error={error} />
      <SubmitFooter label="Создать ключ" busyLabel="Создание..." busy={busy} />
    </form>
  );
}
