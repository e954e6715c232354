import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { accountApi, ProfileInput } from "#contract/organizations/account.ts";
import { call } from "#web/api/call.ts";
import { personName, useSession } from "#web/session/session.tsx";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { SettingsGroup } from "#web/ui/layout/settings-group.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";

export function ProfileGroup({ changeable }: { changeable: boolean }) {
  const { user } = useSession();
  if (user === undefined) return null;
  const name = personName(user);
  const contact = user.email ?? (user.telegramUsername === null ? null : `@${user.telegramUsername}`);
  const ofTelegram = user.authMethod === "telegram";
  return (
    <SettingsGroup id="profile" title="Профиль" description="Так вас видят участники вашей организации">
      <div className="flex flex-col gap-5">
        <div className="flex items-center gap-3">
          <Avatar name={name} photo={user.photo_url} who="owner" />
          <div className="min-w-0">
            <p className="truncate font-medium">{name}</p>
            {contact !== null && contact !== name && (
              <p className="text-md text-muted [overflow-wrap:anywhere]">{contact}</p>
            )}
          </div>
        </div>
        {ofTelegram ? (
          <p className="text-md text-muted">Имя берётся из Telegram и обновляется при входе.</p>
        ) : (
          changeable && <NameForm key={user.id} firstName={user.firstName} lastName={user.lastName} />
        )}
      </div>
    </SettingsGroup>
  );
}

function NameForm({ firstName, lastName }: ProfileInput) {
  const { refresh } = useSession();
  const { register, handleSubmit, formState, reset } = useForm<ProfileInput>({
    resolver: standardSchemaResolver(ProfileInput),
    defaultValues: { firstName, lastName },
  });
  const save = useMutation({
    mutationFn: (input: ProfileInput) => call(accountApi.profile, { input }),
    onSuccess: async ({ user }) => {
      reset({ firstName: user.firstName, lastName: user.lastName });
      await refresh();
      toast({ title: "Имя сохранено" });
    },
    onError: toastError("Не удалось сохранить имя"),
  });
  const { errors, isDirty } = formState;
  return (
    <form noValidate onSubmit={handleSubmit((values) => save.mutate(values))} className="flex flex-col gap-4">
      <div className="grid max-w-xl grid-cols-1 gap-4 sm:grid-cols-2">
        <Field label="Имя" required error={errors.firstName?.message}>
          <Input autoComplete="given-name" {...register("firstName")} />
        </Field>
        <Field label="Фамилия" error={errors.lastName?.message}>
          <Input autoComplete="family-name" {...register("lastName")} />
        </Field>
      </div>
      <Button type="submit" className="self-start" busy={save.isPending} disabled={!isDirty}>
        {save.isPending ? "Сохранение..." : "Сохранить имя"}
      </Button>
    </form>
  );
}
