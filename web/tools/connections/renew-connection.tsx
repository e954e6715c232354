import { useState } from "react";
import type { McpConnection } from "#contract/actions/tool-connections.ts";
import { messageOf } from "#web/api/api-error.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import { useRenewConnection } from "./queries.ts";

/** Signs in to a system again: with a new key, on the page of its own, or by asking it once more. */
export function RenewConnection({ connection: { id, title, auth, state } }: { connection: McpConnection }) {
  const renew = useRenewConnection();
  const [value, setValue] = useState("");
  const takesKey = auth === "header";
  const action = state === "sign-in" ? "Войти" : "Подключить снова";

  function send() {
    if (renew.isPending || (takesKey && value === "")) return;
    renew.mutate({ id, renewal: takesKey ? { kind: "key", value } : { kind: "again" } });
  }

  const failure = renew.error && messageOf(renew.error);
  const button = (
    <Button
      size="sm"
      variant="primary"
      busy={renew.isPending}
      aria-label={`${action}: ${title}`}
      whyNot={takesKey && value === "" ? "Сначала введите ключ" : null}
      onClick={send}
    >
      {action}
    </Button>
  );
  if (!takesKey)
    return (
      <div className="mt-2 flex flex-col gap-2">
        {failure && (
          <p role="alert" className="text-danger-text text-sm">
            {failure}
          </p>
        )}
        <div>{button}</div>
      </div>
    );
  return (
    <div className="mt-2 flex flex-col gap-3">
      <Field label="Новый ключ" error={failure ?? undefined}>
        <PasswordInput
          what="ключ"
          autoComplete="off"
          maxLength={2000}
          value={value}
          onChange={({ target }) => setValue(target.value)}
          onKeyDown={({ key }) => key === "Enter" && send()}
        />
      </Field>
      <div>{button}</div>
    </div>
  );
}
