import type { NeededHeader } from "#contract/actions/tool-import.ts";
import { Field } from "#web/ui/forms/field.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import { secretKeyOf } from "./chosen-tools.ts";

interface SecretFieldsProps {
  headers: readonly NeededHeader[];
  /** Where the values will be sent. */
  hosts: readonly string[];
  values: Readonly<Record<string, string>>;
  onChange: (values: Record<string, string>) => void;
}

const LABELS: Record<NeededHeader["scheme"], (name: string) => string> = {
  bearer: () => "Ключ (токен)",
  basic: () => "Логин и пароль через двоеточие",
  plain: (name) => `Заголовок ${name}`,
};

/** The secrets of all chosen calls, each asked once. */
export function SecretFields({ headers, hosts, values, onChange }: SecretFieldsProps) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {headers.map((header) => {
        const key = secretKeyOf(header);
        const about = header.about === "" ? "" : `${header.about.replace(/\.$/, "")}. `;
        return (
          <Field
            key={key}
            label={LABELS[header.scheme](header.name)}
            hint={`${about}Уйдёт на ${hosts.join(", ") || "адрес системы"}. Можно ввести позже, в самом действии`}
          >
            <PasswordInput
              what="значение"
              autoComplete="off"
              maxLength={1500}
              value={values[key] ?? ""}
              onChange={({ target }) => onChange({ ...values, [key]: target.value })}
            />
          </Field>
        );
      })}
    </div>
  );
}
