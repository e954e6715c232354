import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useEffect } from "react";
import { useForm } from "react-hook-form";
import { type Integration, IntegrationForm } from "#contract/integrations/integrations.ts";
import { messageOf } from "#web/api/api-error.ts";
import { Button } from "#web/ui/button.tsx";
import { PlatformFields } from "../platform-fields.tsx";
import { emptyForm, platformForm } from "../platforms.ts";
import { withProxyChecked } from "../proxy-hints.ts";
import { useReplaceCredentials } from "../queries.ts";
import { useCredentialWarnings } from "../use-credential-warnings.ts";

const rules = standardSchemaResolver(IntegrationForm);

interface ReplaceKeyProps {
  integration: Integration;
  onReplaced: () => void;
  onCancel: () => void;
}

/** Fields for a new key, in place of the broken one. Typed text is stored nowhere. */
export default function ReplaceKey({ integration, onReplaced, onCancel }: ReplaceKeyProps) {
  const { id, platform, digitalTwinId } = integration;
  const replace = useReplaceCredentials(id);
  const { register, handleSubmit, formState, setError, setFocus, watch } = useForm<IntegrationForm>({
    resolver: async (values, context, options) => withProxyChecked(await rules(values, context, options), values),
    defaultValues: { ...emptyForm, digitalTwinId, platform: platform as IntegrationForm["platform"] },
  });
  const warnings = useCredentialWarnings(watch());
  useEffect(() => setFocus("apiKey"), [setFocus]);
  const form = platformForm(platform);
  if (form === undefined) return null;
  const submit = handleSubmit((values) =>
    replace.mutate(values, {
      onSuccess: onReplaced,
      onError: (error) => setError("apiKey", { message: messageOf(error) }, { shouldFocus: true }),
    }),
  );
  return (
    <form noValidate aria-label="Новый ключ" onSubmit={submit} className="flex flex-col gap-4 rounded-md bg-sunken p-4">
      <p className="text-md text-muted">
        Диалоги и настройки останутся.{" "}
        {form.key.additional.length > 0 && "Что не заполнено в разделе «Дополнительно», останется прежним."}
      </p>
      <PlatformFields
        of={{
          ...{ fields: ["apiKey"], additional: form.key.additional },
          ...{ apiKeyLabel: form.apiKeyLabel, apiKeyHint: form.key.hint },
        }}
        register={register}
        errors={formState.errors}
        warnings={warnings}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={replace.isPending}>
          {replace.isPending ? "Проверяем…" : "Заменить"}
        </Button>
        <Button onClick={onCancel}>Отмена</Button>
      </div>
    </form>
  );
}
