import { useState } from "react";
import type { ToolConnection } from "#contract/actions/tool-connections.ts";
import { messageOf } from "#web/api/api-error.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import { useRenewConnection } from "./queries.ts";

/** Where a system no longer takes its key, another one is entered. */
export function NewKey({ connection: { id, title } }: { connection: ToolConnection }) {
  const renew = useRenewConnection();
  const [value, setValue] = useState("");

  function send() {
    if (!renew.isPending && value !== "") renew.mutate({ id, renewal: { kind: "key", value } });
  }

  return (
    <Field label="Новый ключ" className="mt-2" error={renew.error ? messageOf(renew.error) : undefined}>
      <div className="flex gap-2">
        <div className="flex-1">
          <PasswordInput
            what="ключ"
            autoComplete="off"
            aria-label={`Новый ключ: ${title}`}
            maxLength={2000}
            value={value}
            onChange={({ target }) => setValue(target.value)}
            onKeyDown={({ key }) => key === "Enter" && send()}
          />
        </div>
        <Button
          variant="primary"
          busy={renew.isPending}
          aria-label={`Подключить снова: ${title}`}
          whyNot={value === "" ? "Сначала введите ключ" : null}
          onClick={send}
        >
          Подключить снова
        </Button>
      </div>
    </Field>
  );
}
