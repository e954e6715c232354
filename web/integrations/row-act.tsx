import { Link } from "wouter";
import { isDisconnected } from "#web/parts/connection-states.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { connectAccountPath } from "./connect-account.ts";
import { hasKey } from "./platforms.ts";
import { useUpdateIntegration } from "./queries.ts";
import { isActive, type ShownIntegration } from "./shown-integration.ts";

interface RowActProps {
  entry: ShownIntegration;
  /** Name of the row, for users who hear only the button. */
  name: string;
  checking: boolean;
  onCheck: () => void;
}

export function RowAct({ entry, name, checking, onCheck }: RowActProps) {
  const update = useUpdateIntegration();
  const act = (label: string) => ({ size: "sm" as const, "aria-label": `${label}: ${name}` });

  if (entry.connection === "trouble") {
    return (
      <Button {...act("Проверить соединение")} busy={checking} onClick={onCheck}>
        Проверить соединение
      </Button>
    );
  }
  if (isDisconnected(entry)) {
    const [label, to] = hasKey(entry)
      ? ["Заменить ключ", `${paths.integration(entry.id)}?key=new`]
      : ["Войти заново", connectAccountPath];
    return (
      <Button asChild {...act(label!)}>
        <Link href={to!}>{label}</Link>
      </Button>
    );
  }
  if (!isActive(entry)) {
    return (
      <Button
        {...act("Включить")}
        busy={update.isPending}
        onClick={() => update.mutate({ id: entry.id, status: "active" })}
      >
        Включить
      </Button>
    );
  }
  return (
    <Button asChild {...act("Настроить")}>
      <Link href={paths.integration(entry.id)}>Настроить</Link>
    </Button>
  );
}
