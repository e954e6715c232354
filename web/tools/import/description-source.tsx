import { useState } from "react";
import { DESCRIPTION_UPLOAD_LIMIT } from "#contract/actions/tool-import.ts";
import { ApiError, messageOf } from "#web/api/api-error.ts";
import { ProxyField } from "#web/parts/proxy/proxy-field.tsx";
import { type ProxyValue, proxyInput } from "#web/parts/proxy/proxy-value.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { FileDrop } from "#web/ui/forms/file-drop.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";

const FORMATS = ".json,.yaml,.yml";

interface DescriptionSourceProps {
  busy: boolean;
  error: unknown;
  proxy: ProxyValue;
  onProxy: (next: ProxyValue) => void;
  onRead: (given: { text: string } | { url: string; proxy?: string }) => void;
}

type From = "file" | "address" | "text";

/** Where the description is: a file, an address, or a text. */
export function DescriptionSource({ busy, error, proxy, onProxy, onRead }: DescriptionSourceProps) {
  const [problem, setProblem] = useState<string>();
  /** What was read last: its fault stands there. */
  const [from, setFrom] = useState<From>("file");
  const [address, setAddress] = useState("");
  const [text, setText] = useState("");

  function readText(given: string, where: From) {
    setFrom(where);
    if (new Blob([given]).size > DESCRIPTION_UPLOAD_LIMIT) return setProblem("Описание больше 700 КБ");
    setProblem(undefined);
    onRead({ text: given });
  }

  function readAddress() {
    setFrom("address");
    setProblem(undefined);
    if (address.trim() !== "" && !busy) onRead({ url: address.trim(), ...proxyInput(proxy) });
  }

  async function readFile([file]: File[]) {
    if (file === undefined) return;
    setFrom("file");
    if (!/\.(json|ya?ml)$/i.test(file.name)) return setProblem("Нужен файл описания OpenAPI");
    if (file.size > DESCRIPTION_UPLOAD_LIMIT) return setProblem("Описание больше 700 КБ");
    readText(await file.text(), "file");
  }

  const ofProxy = error instanceof ApiError ? error.serverMessage?.fields?.proxy : undefined;
  const failure = problem ?? (error == null || ofProxy !== undefined ? undefined : sentenceOf(error));
  const failureAt = (where: From) => (from === where ? failure : undefined);
  return (
    <div className="flex flex-col gap-4">
      <FileDrop
        label="Перетащите описание сюда или выберите на устройстве"
        touchLabel="Выберите описание"
        hint="OpenAPI 3.0, 3.1 или Swagger 2.0, до 700 КБ"
        accept={FORMATS}
        multiple={false}
        disabled={busy}
        onFiles={(files) => void readFile(files)}
      />
      {failureAt("file") !== undefined && (
        <p role="alert" className="text-danger-text text-sm">
          {failure}
        </p>
      )}
      <Field
        label="Или адрес описания"
        error={failureAt("address")}
        hint="Часто это адрес документации и /openapi.json в конце. До 1 МБ"
      >
        <div className="flex gap-2">
          <Input
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://example.ru/openapi.json"
            value={address}
            onChange={({ target }) => setAddress(target.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter") readAddress();
            }}
          />
          <Button whyNot={address.trim() === "" ? "Сначала введите адрес" : null} busy={busy} onClick={readAddress}>
            Прочитать
          </Button>
        </div>
      </Field>
      <ProxyField
        value={proxy}
        error={ofProxy}
        onChange={onProxy}
        onKeyDown={(event) => {
          if (event.key === "Enter") readAddress();
        }}
      />
      <Field label="Или сам текст" error={failureAt("text")}>
        <Textarea
          rows={4}
          spellCheck={false}
          placeholder="openapi: 3.0.3"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
      {text.trim() !== "" && (
        <Button className="self-start" busy={busy} onClick={() => readText(text, "text")}>
          Прочитать текст
        </Button>
      )}
    </div>
  );
}

/** The sentence at the field that the server names first, otherwise the whole. */
function sentenceOf(error: unknown): string {
  const fields = error instanceof ApiError ? Object.values(error.serverMessage?.fields ?? {}) : [];
  return fields[0] ?? messageOf(error);
}
