import type { NeededHeader } from "#contract/actions/tool-import.ts";
import { plural } from "#web/i18n/plural.ts";
import { Field } from "#web/ui/forms/field.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import type { NeededSecret } from "./chosen-tools.ts";

interface SecretFieldsProps {
  secrets: readonly NeededSecret[];
  values: Readonly<Record<string, string>>;
  onChange: (values: Record<string, string>) => void;
}

const LABELS: Record<NeededHeader["scheme"], (name: string) => string> = {
  bearer: () => "Ключ (токен)",
  basic: () => "Логин и пароль через двоеточие",
  plain: (name) => `Заголовок ${name}`,
};

/** The secrets of all chosen calls, each asked once for a host. */
export function SecretFields({ secrets, values, onChange }: SecretFieldsProps) {
  const hosts = new Set(secrets.map(({ host }) => host));
  const skipped = secrets.filter(({ key }) => (values[key] ?? "").trim() === "");
  const left = new Set(skipped.flatMap(({ calls }) => calls)).size;
  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        {secrets.map(({ header, key, host }) => {
          const about = header.about === "" ? "" : `${header.about.replace(/\.$/, "")}. `;
          const label = LABELS[header.scheme](header.name);
          return (
            <Field
              key={key}
              label={hosts.size > 1 ? `${label} для ${host}` : label}
              hint={`${about}Уйдёт на ${host || "адрес системы"} и больше никуда`}
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
      {left > 0 && (
        <p className="text-sm text-warning-text">
          Без ключа {plural(left, ["действие", "действия", "действий"])} не&nbsp;включить. Введите его здесь или потом
          в&nbsp;одном из&nbsp;них.
        </p>
      )}
    </div>
  );
}
