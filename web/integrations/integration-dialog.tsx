import { useState } from "react";
import { Link } from "wouter";
import { serverSentenceOf } from "#web/api/api-error.ts";
import { autonomyLevel, autonomyLevels } from "#web/parts/autonomy-levels.ts";
import { useTwins } from "#web/parts/twins/queries.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { Dialog, DialogContent, DialogFooter } from "#web/ui/overlays/dialog.tsx";
import { platformName } from "#web/ui/platform-icon.tsx";
import { toast } from "#web/ui/toasts/toast.ts";
import { WebhookAddress } from "./one/webhook-address.tsx";
import { useUpdateIntegration } from "./queries.ts";
import { isActive, nameOf, type ShownIntegration } from "./shown-integration.ts";

interface IntegrationDialogProps {
  entry: ShownIntegration;
  /** The name on the entry's card, when it is not the platform's. */
  name?: string;
  isSample?: boolean;
  onClose: () => void;
}

export default function IntegrationDialog({ entry, name, isSample = false, onClose }: IntegrationDialogProps) {
  const title = name ?? platformName(entry.platform);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={`Настройки: ${title}`}
        description={isSample ? "Это пример: подключите свою систему, чтобы настроить ее." : nameOf(entry)}
        size="sm"
      >
        {isSample ? (
          <DialogFooter className="mt-2!">
            <Button onClick={onClose}>Закрыть</Button>
            <Button asChild variant="primary">
              <Link href={paths.addIntegration}>Добавить интеграцию</Link>
            </Button>
          </DialogFooter>
        ) : (
          <div className="flex flex-col gap-5">
            <WebhookAddress entry={entry} />
            <SettingsForm entry={entry} onClose={onClose} />
          </div>
        )}
      </DialogContent>
    </Dialog>
  );
}

function SettingsForm({ entry, onClose }: Pick<IntegrationDialogProps, "entry" | "onClose">) {
  const twins = useTwins();
  const update = useUpdateIntegration();
  const [status, setStatus] = useState<"active" | "inactive">(isActive(entry) ? "active" : "inactive");
  const [autonomy, setAutonomy] = useState(autonomyLevel(entry.autonomy).value);
  const [twinId, setTwinId] = useState(entry.digitalTwinId ?? "");
  const moved = twinId !== (entry.digitalTwinId ?? "");

  function save() {
    update.mutate(
      { id: entry.id, status, autonomy, ...(moved && twinId ? { digitalTwinId: twinId } : {}) },
      {
        onSuccess: () => {
          toast({ title: "Настройки сохранены" });
          onClose();
        },
      },
    );
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!update.isPending) save();
      }}
      className="flex flex-col gap-5"
    >
      <Field
        label="Цифровой двойник"
        hint={moved ? "Импортированная переписка останется у прежнего двойника." : undefined}
      >
        <Select value={twinId} onChange={(event) => setTwinId(event.target.value)}>
          {!twins.data?.some(({ id }) => id === entry.digitalTwinId) && (
            <option value={entry.digitalTwinId ?? ""}>{entry.digitalTwinName || "Не указан"}</option>
          )}
          {twins.data?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Состояние">
        <Select value={status} onChange={(event) => setStatus(event.target.value as typeof status)}>
          <option value="active">Активна</option>
          <option value="inactive">Неактивна</option>
        </Select>
      </Field>
      <Field label="Как отвечает двойник" hint={autonomyLevel(autonomy).about}>
        <Select value={autonomy} onChange={(event) => setAutonomy(event.target.value as typeof autonomy)}>
          {autonomyLevels.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      {/* The open dialog hides the toast from screen readers, so the message is repeated here. */}
      <FormError error={update.error && (serverSentenceOf(update.error) ?? "Не удалось сохранить изменения")} />
      <DialogFooter className="mt-1!">
        <Button onClick={onClose} disabled={update.isPending}>
          Отмена
        </Button>
        <Button type="submit" variant="primary" busy={update.isPending}>
          {update.isPending ? "Сохранение..." : "Сохранить"}
        </Button>
      </DialogFooter>
    </form>
  );
}
