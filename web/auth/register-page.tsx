import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { CONSENT_VERSION } from "#contract/organizations/consent.ts";
import { MIN_PASSWORD_LENGTH, RegisterInput } from "#contract/organizations/registration.ts";
import { messageOf } from "#web/api/api-error.ts";
import { paths } from "#web/paths.ts";
import { CheckingSession } from "#web/session/guard.tsx";
import { useSession } from "#web/session/session.tsx";
import { AuthPage } from "#web/shell/public/auth-frame.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import { AuthLink } from "./auth-link.tsx";
import { isEmailTaken, useRegistration } from "./registration.ts";
import { ReturnHome } from "./return-home.tsx";

export default function RegisterPage() {
  const { state } = useSession();
  if (state.status === "loading") return <CheckingSession />;
  if (state.status === "authenticated") return <ReturnHome />;
  return (
    <AuthPage
      title="Регистрация"
      description="Создайте аккаунт, чтобы обучить своего первого двойника"
      links={
        <>
          Уже есть аккаунт? <AuthLink to={paths.login}>Войти</AuthLink>
        </>
      }
    >
      <RegisterForm />
    </AuthPage>
  );
}

/** Opens in a new tab, so that the form keeps its input. */
const LINK = "text-primary-text underline underline-offset-4";

const FormValues = z.extend(RegisterInput, {
  agreed: z.boolean().check(z.refine((agreed) => agreed, "Без согласия зарегистрироваться нельзя")),
});
type FormInput = z.input<typeof FormValues>;
type FormOutput = z.output<typeof FormValues>;

function RegisterForm() {
  const registration = useRegistration();
  const { register, handleSubmit, formState, setError } = useForm<FormInput, unknown, FormOutput>({
    resolver: standardSchemaResolver(FormValues),
    defaultValues: { email: "", password: "", firstName: "", lastName: "", agreed: false },
  });
  const { errors } = formState;

  const submit = handleSubmit(({ agreed: _, ...values }) =>
    registration.mutate(
      { ...values, consent: CONSENT_VERSION },
      {
        onError: (error) => {
          if (isEmailTaken(error)) setError("email", { message: messageOf(error) }, { shouldFocus: true });
        },
      },
    ),
  );

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field label="Имя" error={errors.firstName?.message}>
          <Input autoComplete="given-name" {...register("firstName")} />
        </Field>
        <Field label="Фамилия" error={errors.lastName?.message}>
          <Input autoComplete="family-name" {...register("lastName")} />
        </Field>
      </div>
      <Field label="Email" required error={errors.email?.message}>
        <Input type="email" required autoComplete="username" inputMode="email" {...register("email")} />
      </Field>
      <Field
        label="Пароль"
        required
        error={errors.password?.message}
        hint={errors.password ? undefined : `Минимум ${MIN_PASSWORD_LENGTH} символов`}
      >
        <PasswordInput required autoComplete="new-password" {...register("password")} />
      </Field>
      <div className="flex flex-col gap-2">
        <Checkbox aria-invalid={errors.agreed ? true : undefined} {...register("agreed")}>
          Даю согласие на{" "}
          <a href={paths.privacy} target="_blank" rel="noreferrer" className={LINK}>
            обработку персональных данных
          </a>
        </Checkbox>
        {errors.agreed && (
          <p role="alert" className="text-danger-text text-sm">
            {errors.agreed.message}
          </p>
        )}
      </div>
      <Button type="submit" variant="primary" busy={registration.isPending}>
        {registration.isPending ? "Регистрация..." : "Зарегистрироваться"}
      </Button>
      <p className="text-center text-muted text-sm">
        Регистрируясь, вы принимаете{" "}
        <a href={paths.terms} target="_blank" rel="noreferrer" className={LINK}>
          условия использования
        </a>
      </p>
    </form>
  );
}
