import { useState } from "react";
import type { Integration } from "#contract/integrations/integrations.ts";
import { WorkingHours } from "#contract/integrations/working-hours.ts";
import { ownZone, zoneChoices } from "#web/parts/times/time-zones.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { toast } from "#web/ui/toasts/toast.ts";
import { useUpdateIntegration } from "../queries.ts";
import { slotsOf, type WeekDay, weekOf } from "./week.ts";

const OUTSIDE_HOURS_MODES: Record<WorkingHours["outside"], { name: string; about: string }> = {
  draft: { name: "Готовить черновики", about: "Двойник готовит ответ, вы отправите его, когда вернётесь." },
  silent: { name: "Молчать", about: "Двойник не отвечает; сообщения остаются непрочитанными в диалогах." },
  away: {
    name: "Отвечать одной фразой",
    about: "Каждый собеседник получит её один раз, до следующего рабочего дня двойник молчит.",
  },
};

export function WorkingHoursForm({ integration: { id, workingHours } }: { integration: Integration }) {
  const update = useUpdateIntegration();
  const [limited, setLimited] = useState(workingHours !== null);
  const [timeZone, setTimeZone] = useState(workingHours?.timeZone ?? ownZone());
  const [week, setWeek] = useState(() => weekOf(workingHours));
  const [outside, setOutside] = useState<WorkingHours["outside"]>(workingHours?.outside ?? "draft");
  const [awayText, setAwayText] = useState(workingHours?.awayText ?? "");
  const [error, setError] = useState<string | null>(null);

  function save() {
    const checked = WorkingHours.safeParse({ timeZone, slots: slotsOf(week), outside, awayText });
    const fault = limited && !checked.success ? (checked.error.issues[0]?.message ?? "Проверьте часы") : null;
    setError(fault);
    if (fault !== null) return;
    update.mutate(
      { id, workingHours: limited ? (checked.data ?? null) : null },
      { onSuccess: () => toast({ title: "Рабочие часы сохранены" }) },
    );
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!update.isPending) save();
      }}
    >
      <Field label="Когда двойник отвечает">
        <Select value={limited ? "hours" : "always"} onChange={(event) => setLimited(event.target.value === "hours")}>
          <option value="always">Всегда</option>
          <option value="hours">В рабочие часы</option>
        </Select>
      </Field>
      {limited && (
        <>
          <Week week={week} onChange={setWeek} />
          <Field label="Часовой пояс">
            <Select value={timeZone} onChange={(event) => setTimeZone(event.target.value)}>
              {zoneChoices(ownZone(), timeZone).map(([zone, name]) => (
                <option key={zone} value={zone}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
          <Field label="В остальное время" hint={OUTSIDE_HOURS_MODES[outside].about}>
            <Select value={outside} onChange={(event) => setOutside(event.target.value as typeof outside)}>
              {Object.entries(OUTSIDE_HOURS_MODES).map(([value, { name }]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
          {outside === "away" && (
            <Field label="Что ответить">
              <Textarea
                value={awayText}
                maxLength={1000}
                placeholder="Здравствуйте! Мы отвечаем по будням с 9 до 18."
                onChange={(event) => setAwayText(event.target.value)}
              />
            </Field>
          )}
        </>
      )}
      <FormError error={error} />
      {/* «Всегда» needs no save button when it is already stored. */}
      {(limited || workingHours !== null) && (
        <Button type="submit" busy={update.isPending} className="self-start">
          {update.isPending ? "Сохранение..." : "Сохранить часы"}
        </Button>
      )}
    </form>
  );
}

function Week({ week, onChange }: { week: WeekDay[]; onChange: (week: WeekDay[]) => void }) {
  const set = (place: number, change: Partial<WeekDay>) =>
    onChange(week.map((day, at) => (at === place ? { ...day, ...change } : day)));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 font-medium text-md">Рабочие дни</legend>
      {week.map(({ name, works, from, to }, place) => (
        <div key={name} className="flex min-h-control flex-wrap items-center gap-x-4 gap-y-1">
          <Checkbox className="w-36" checked={works} onChange={(event) => set(place, { works: event.target.checked })}>
            {name}
          </Checkbox>
          {works ? (
            <span className="flex items-center gap-2">
              <Input
                type="time"
                aria-label={`${name}, с`}
                value={from}
                onChange={(event) => set(place, { from: event.target.value })}
                className="w-32!"
              />
              <span aria-hidden>–</span>
              <Input
                type="time"
                aria-label={`${name}, до`}
                value={to}
                onChange={(event) => set(place, { to: event.target.value })}
                className="w-32!"
              />
            </span>
          ) : (
            <span className="text-md text-subtle">Выходной</span>
          )}
        </div>
      ))}
      <p className="text-sm text-subtle">Если конец раньше начала, смена заканчивается на следующий день.</p>
    </fieldset>
  );
}
