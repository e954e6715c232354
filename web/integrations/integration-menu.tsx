import { Pause, Play, Settings, Trash2 } from "lucide-react";
import { lazy, type ReactElement, Suspense, useState } from "react";
import { autonomyLevel, autonomyLevels } from "#web/parts/autonomy-levels.ts";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "#web/ui/overlays/dropdown-menu.tsx";
import { toast } from "#web/ui/toasts/toast.ts";
import { useRemoveIntegration, useUpdateIntegration } from "./queries.ts";
import { isActive, type ShownIntegration } from "./shown-integration.ts";

const IntegrationDialog = lazy(() => import("./integration-dialog.tsx"));

interface IntegrationMenuProps {
  entry: ShownIntegration;
  name: string;
  trigger: ReactElement;
}

export default function IntegrationMenu({ entry, name, trigger }: IntegrationMenuProps) {
  const [configuring, setConfiguring] = useState(false);
  const [removing, setRemoving] = useState(false);
  const update = useUpdateIntegration();
  const remove = useRemoveIntegration();
  const active = isActive(entry);

  function toggle() {
    if (update.isPending) return;
    update.mutate(
      { id: entry.id, status: active ? "inactive" : "active" },
      { onSuccess: () => toast({ title: active ? "Интеграция приостановлена" : "Интеграция включена" }) },
    );
  }

  function setAutonomy(value: string) {
    if (update.isPending) return;
    const level = autonomyLevel(value);
    update.mutate(
      { id: entry.id, autonomy: level.value },
      {
        onSuccess: () => toast({ title: `Ответы: ${level.name.toLocaleLowerCase("ru-RU")}`, description: level.about }),
      },
    );
  }

  return (
    <>
      <DropdownMenu defaultOpen>
        <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
        <DropdownMenuContent>
          <DropdownMenuItem onSelect={toggle}>
            {active ? <Pause aria-hidden className="icon" /> : <Play aria-hidden className="icon" />}
            {active ? "Приостановить" : "Включить"}
          </DropdownMenuItem>
          <DropdownMenuItem onSelect={() => setConfiguring(true)}>
            <Settings aria-hidden className="icon" />
            Настроить
          </DropdownMenuItem>
          <DropdownMenuSeparator />
          <DropdownMenuLabel>Как отвечает двойник</DropdownMenuLabel>
          <DropdownMenuRadioGroup value={autonomyLevel(entry.autonomy).value} onValueChange={setAutonomy}>
            {autonomyLevels.map(({ value, name }) => (
              <DropdownMenuRadioItem key={value} value={value}>
                {name}
              </DropdownMenuRadioItem>
            ))}
          </DropdownMenuRadioGroup>
          <DropdownMenuSeparator />
          <DropdownMenuItem destructive onSelect={() => setRemoving(true)}>
            <Trash2 aria-hidden className="icon" />
            Удалить
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      <Suspense>{configuring && <IntegrationDialog entry={entry} onClose={() => setConfiguring(false)} />}</Suspense>
      <ConfirmDialog
        open={removing}
        onOpenChange={setRemoving}
        title="Удалить интеграцию?"
        description={`${name}: двойник перестанет получать сообщения, ключи будут уничтожены. Уже импортированная переписка останется в базе знаний.`}
        confirmLabel="Удалить"
        destructive
        busy={remove.isPending}
        onConfirm={() => remove.mutate(entry.id, { onSuccess: () => setRemoving(false) })}
      />
    </>
  );
}
