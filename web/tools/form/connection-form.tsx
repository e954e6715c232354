import { useState } from "react";
import { NewMcpConnection } from "#contract/actions/tool-connections.ts";
import { ApiError, messageOf } from "#web/api/api-error.ts";
import { ProxyField } from "#web/parts/proxy/proxy-field.tsx";
import { proxyInput, storedProxy } from "#web/parts/proxy/proxy-value.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import { useConnect } from "../connections/queries.ts";
import { ChoiceRows } from "./choice-rows.tsx";
import { ChoiceError } from "./form-parts.tsx";

type Way = "none" | "header" | "oauth";

const WAYS: readonly { value: Way; name: string; about: string }[] = [
  { value: "none", name: "Без\u00a0ключа", about: "Сервер отвечает каждому" },
  {
    value: "header",
    name: "Ключ",
    about: "Сервер выдал вам ключ. Он хранится зашифрованным, и\u00a0его не\u00a0увидит никто",
  },
  { value: "oauth", name: "Вход OAuth", about: "Откроется страница сервера, на\u00a0которой вы\u00a0разрешите доступ" },
];

/** Connects an MCP server. It stands inside the form of a tool, so it is none itself. */
export function ConnectionForm({ twinId, onCancel }: { twinId: string; onCancel: (() => void) | null }) {
  const connect = useConnect();
  const [url, setUrl] = useState("");
  const [title, setTitle] = useState("");
  const [way, setWay] = useState<Way>("none");
  const [header, setHeader] = useState({ name: "Authorization", value: "" });
  const [proxy, setProxy] = useState(storedProxy());
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});

  function send() {
    if (connect.isPending) return;
    const auth = way === "header" ? { kind: way, ...header } : { kind: way };
    const read = NewMcpConnection.safeParse({ twinId, title, url, auth, ...proxyInput(proxy) });
    if (!read.success) {
      setFaults(Object.fromEntries(read.error.issues.map(({ path, message }) => [path.join("."), message])));
      return;
    }
    setFaults({});
    connect.mutate(read.data, { onError: (error) => setFaults(faultsOf(error)) });
  }

  const onEnter = (event: { key: string; preventDefault: () => void }) => {
    if (event.key !== "Enter") return;
    // The form of the tool is not ready to be sent.
    event.preventDefault();
    send();
  };
  // The browser is on its way to the page on which the owner signs in.
  const isLeaving = connect.data?.signInUrl != null;
  return (
    <div className="flex flex-col gap-5">
      <Field
        label="Адрес сервера"
        required
        error={faults.url}
        hint="Адрес из описания сервера, обычно он кончается на /mcp"
      >
        <Input
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://example.ru/mcp"
          value={url}
          onChange={({ target }) => setUrl(target.value)}
          onKeyDown={onEnter}
        />
      </Field>
      <Field label="Название подключения" error={faults.title} hint="Пусто: так, как сервер называет себя сам">
        <Input
          autoComplete="off"
          maxLength={80}
          value={title}
          onChange={({ target }) => setTitle(target.value)}
          onKeyDown={onEnter}
        />
      </Field>
      <ChoiceRows legend="Как входить" name="mcp-auth" choices={WAYS} value={way} onChange={setWay} />
      {way === "header" && (
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label="Заголовок" required error={faults["auth.name"]}>
            <Input
              autoComplete="off"
              spellCheck={false}
              maxLength={60}
              value={header.name}
              onChange={({ target }) => setHeader({ ...header, name: target.value })}
              onKeyDown={onEnter}
            />
          </Field>
          <Field
            label="Ключ"
            required
            error={faults["auth.value"]}
            hint={/^authorization$/i.test(header.name) ? "Целиком, обычно это «Bearer …»" : undefined}
          >
            <PasswordInput
              what="ключ"
              autoComplete="off"
              maxLength={2000}
              value={header.value}
              onChange={({ target }) => setHeader({ ...header, value: target.value })}
              onKeyDown={onEnter}
            />
          </Field>
        </div>
      )}
      <ProxyField
        value={proxy}
        error={faults.proxy}
        onKeyDown={onEnter}
        onChange={(next) => {
          setProxy(next);
          setFaults(({ proxy: _corrected, ...others }) => others);
        }}
      />
      <ChoiceError message={faults[""]} />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" busy={connect.isPending || isLeaving} onClick={send}>
          {isLeaving ? "Открываем страницу входа..." : connect.isPending ? "Подключаем..." : "Подключить"}
        </Button>
        {onCancel !== null && <Button onClick={onCancel}>Отмена</Button>}
      </div>
    </div>
  );
}

/** By the fields of this form; "": of none. */
function faultsOf(error: unknown): Record<string, string> {
  const fields = error instanceof ApiError ? (error.serverMessage?.fields ?? {}) : {};
  return Object.keys(fields).length > 0 ? { ...fields } : { "": messageOf(error) };
}
