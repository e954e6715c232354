import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useForm } from "react-hook-form";
import { navigate } from "wouter/use-browser-location";
import type { SignedInUser } from "#contract/organizations/auth.ts";
import { type AdministratorState, InstallationCode } from "#contract/organizations/installation.ts";
import { messageOf } from "#web/api/api-error.ts";
import { paths } from "#web/paths.ts";
import { useSession } from "#web/session/session.tsx";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { useAdministratorState, useClaimInstallation } from "./queries.ts";

/** For users other than the operator: says that the administrator can do this, or how to become administrator when there is none. */
export default function BecomeAdministrator({ className = "" }: { className?: string }) {
  const { user } = useSession();
  const state = useAdministratorState();
  if (user === undefined || user.superAdmin || state === undefined || (state === "there" && !user.isDemo)) return null;
  return (
    <section aria-labelledby="become-administrator" className={`rounded-lg bg-sunken p-4 text-md md:p-5 ${className}`}>
      <h2 id="become-administrator" className="text-base">
        {state === "there" ? "Это решает администратор установки" : "У этой установки ещё нет администратора"}
      </h2>
      <p className="mt-1 max-w-measure text-muted">
        Он выбирает модели этого сервера, видит его состояние и может назвать адреса в&nbsp;своей сети.{" "}
        {user.isDemo && "Демо-аккаунт общий, поэтому ничем из этого не\u00a0управляет."}
      </p>
      <How user={user} state={state} />
    </section>
  );
}

function How({ user, state }: { user: SignedInUser; state: AdministratorState }) {
  if (state === "there") return null;
  if (state === "named")
    return <p className="mt-2 max-w-measure">Им станет аккаунт, чья почта названа в&nbsp;настройках установки.</p>;
  if (user.isDemo) return <LeaveDemo byCode={state === "code"} />;
  if (!user.emailConfirmed && user.authMethod === "email") {
    return (
      <p className="mt-2 max-w-measure">
        {state === "first"
          ? "Подтвердите почту, и\u00a0администратором станете вы."
          : "Подтвердите почту, затем введите здесь код, который сервер печатает при запуске."}
      </p>
    );
  }
  return <CodeForm />;
}

function LeaveDemo({ byCode }: { byCode: boolean }) {
  const { logout } = useSession();
  return (
    <div className="mt-2 flex flex-col items-start gap-3">
      <p className="max-w-measure">
        {byCode
          ? "Зарегистрируйте свой аккаунт, подтвердите почту и\u00a0введите код, который сервер печатает при запуске."
          : "Зарегистрируйте свой аккаунт: первый, кто подтвердит почту, станет администратором. Ссылка для подтверждения придёт письмом, а\u00a0без почты будет напечатана там, где запущен сервер."}
      </p>
      <Button onClick={() => void logout().then(() => navigate(paths.register))}>Выйти и зарегистрироваться</Button>
    </div>
  );
}

function CodeForm() {
  const claim = useClaimInstallation();
  const { register, handleSubmit, formState, setError } = useForm<InstallationCode>({
    resolver: standardSchemaResolver(InstallationCode),
    defaultValues: { code: "" },
  });
  const submit = handleSubmit(({ code }) =>
    claim.mutate(code, {
      onError: (error) => setError("code", { message: messageOf(error) }, { shouldFocus: true }),
    }),
  );
  return (
    <form noValidate onSubmit={submit} className="mt-3 flex max-w-md flex-col items-start gap-3">
      <Field
        label="Код администратора"
        required
        className="w-full"
        error={formState.errors.code?.message}
        hint="Сервер печатает его при запуске"
      >
        <Input autoComplete="off" autoCapitalize="characters" spellCheck={false} {...register("code")} />
      </Field>
      <Button type="submit" busy={claim.isPending}>
        Стать администратором
      </Button>
    </form>
  );
}
