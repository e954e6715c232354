import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { toolsApi } from "#contract/actions/tools.ts";
import { queryOf } from "#web/api/query.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { Switch } from "#web/ui/forms/switch.tsx";

interface LiveSwitchProps {
  twin: { id: string; ownerId: string };
  live: boolean;
  onChange: (live: boolean) => void;
}

/** Whether a test chat really calls what changes data or waits for its owner. Renders nothing where no such tool is on. */
export default function LiveSwitch({ twin, live, onChange }: LiveSwitchProps) {
  const mayChange = useReadOnly(twin) === null;
  const id = useId();
  const { data = [] } = useQuery({ ...queryOf(toolsApi.list, { query: { twinId: twin.id } }), enabled: mayChange });
  if (!data.some(({ enabled, changes, degree }) => enabled && (changes ? degree !== "never" : degree === "asks")))
    return null;
  return (
    <div className="flex items-center gap-3 border-t px-4 py-2 text-md md:px-5">
      <Switch id={id} aria-describedby={`${id}-about`} checked={live} onCheckedChange={onChange} />
      <label htmlFor={id} className="min-w-0 flex-1">
        Вызывать на&nbsp;самом деле
        <span id={`${id}-about`} className="block text-muted text-sm">
          {live
            ? "Включено: после вашего «да» действие уйдёт в\u00a0вашу систему"
            : "Выключено: то, что меняет данные или ждёт вас, здесь только показывается"}
        </span>
      </label>
    </div>
  );
}
