import { useState } from "react";
import { SLOT_MINUTES } from "#contract/actions/calendar-settings.ts";
import type { ToolConnection } from "#contract/actions/tool-connections.ts";
import { plural } from "#web/i18n/plural.ts";
import { ownZone, zoneChoices } from "#web/parts/times/time-zones.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { useConnections } from "../../connections/queries.ts";
import { ChoiceRows } from "../choice-rows.tsx";
import { ChoiceError, errorAt, type ToolFormState } from "../form-parts.tsx";
import type { ToolValues } from "../form-values.ts";
import { ConnectCalendar } from "./connect-calendar.tsx";
import { calendarWords } from "./kind-words.ts";

const DAYS = ["Пн", "Вт", "Ср", "Чт", "Пт", "Сб", "Вс"];
const NOTICES: [minutes: number, name: string][] = [
  [0, "Можно сразу"],
  [60, "За час"],
  [180, "За три часа"],
  [1440, "За сутки"],
  [2880, "За двое суток"],
];

const CHOICES = [
  {
    value: "free",
    name: "Сообщать свободное время",
    about: "Двойник смотрит в календарь и называет, когда можно прийти.",
  },
  {
    value: "book",
    name: "Записывать",
    about: "Собеседник называет день и время, подтверждает, и с вашего согласия в календаре появляется событие.",
  },
] as const;

/** Which calendar, what is done in it, and when it is open. */
export function CalendarSource({ form, twinId }: { form: ToolFormState; twinId: string }) {
  const query = useConnections(twinId);
  const [adding, setAdding] = useState(false);
  const calendar = form.watch("calendar");
  if (query.data === undefined)
    return query.error ? (
      <ErrorCard title="Не удалось загрузить календари" error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <LoadingStatus className="min-h-40">Загружаем календари...</LoadingStatus>
    );
  const accounts = query.data.filter((one) => one.kind === "caldav");
  const set = (next: Partial<ToolValues["calendar"]>) => {
    form.setValue("calendar", { ...form.getValues("calendar"), ...next }, { shouldDirty: true });
  };
  const take = (connected: ToolConnection) => {
    const first = connected.kind === "caldav" ? connected.calendars[0] : undefined;
    set({ connectionId: connected.id, calendarUrl: first?.url ?? "" });
    setAdding(false);
  };
  // A login that is no longer accepted is entered again, and its connection keeps its tools.
  const isNoneReady = accounts.every(({ state }) => state !== "ready");
  if (adding || isNoneReady)
    return (
      <ConnectCalendar twinId={twinId} onConnected={take} onCancel={isNoneReady ? undefined : () => setAdding(false)} />
    );
  const choose = (does: ToolValues["calendar"]["does"]) => {
    const before = form.getValues();
    set({ does });
    form.setValue("changes", does === "book");
    form.setValue("degree", does === "book" ? "asks" : "itself", { shouldDirty: true });
    // Words that the owner has not changed follow the choice.
    const [was, will] = [calendarWords[before.calendar.does], calendarWords[does]];
    if (before.title === was.title) form.setValue("title", will.title);
    if (before.description === was.description) form.setValue("description", will.description);
    if (before.examples.join("\n") === was.examples.join("\n")) form.setValue("examples", [...will.examples]);
  };
  return (
    <div className="flex flex-col gap-5">
      <Field label="Календарь" required error={errorAt(form, "calendar.calendarUrl")}>
        <Select
          placeholder="Выберите календарь"
          value={calendar.calendarUrl === "" ? "" : `${calendar.connectionId} ${calendar.calendarUrl}`}
          onChange={({ target }) => {
            const [connectionId = "", calendarUrl = ""] = target.value.split(" ");
            set({ connectionId, calendarUrl });
          }}
        >
          {accounts.flatMap(({ id, title: account, calendars }) =>
            calendars.map(({ url, title }) => (
              <option key={`${id} ${url}`} value={`${id} ${url}`}>
                {title}: {account}
              </option>
            )),
          )}
        </Select>
      </Field>
      <Button size="sm" className="self-start" onClick={() => setAdding(true)}>
        Подключить другой календарь
      </Button>
      {calendar.calendarUrl !== "" && (
        <>
          <ChoiceRows legend="Что делать" name="does" choices={CHOICES} value={calendar.does} onChange={choose} />
          <Hours calendar={calendar} form={form} set={set} />
        </>
      )}
    </div>
  );
}

interface HoursProps {
  calendar: ToolValues["calendar"];
  form: ToolFormState;
  set: (next: Partial<ToolValues["calendar"]>) => void;
}

function Hours({ calendar, form, set }: HoursProps) {
  const { days, from, to, slotMinutes, daysAhead, noticeMinutes, timeZone } = calendar;
  return (
    <>
      <fieldset className="flex min-w-0 flex-col gap-2">
        <legend className="mb-1.5 font-medium text-md">Рабочие дни</legend>
        <div className="flex flex-wrap gap-x-4 gap-y-2">
          {DAYS.map((name, at) => (
            <Checkbox
              key={name}
              checked={days.includes(at + 1)}
              onChange={({ target }) =>
                set({ days: target.checked ? [...days, at + 1].sort() : days.filter((day) => day !== at + 1) })
              }
            >
              {name}
            </Checkbox>
          ))}
        </div>
        <ChoiceError message={errorAt(form, "calendar.days")} />
      </fieldset>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Открыто с" required error={errorAt(form, "calendar.from")}>
          <Input type="time" value={from} onChange={({ target }) => set({ from: target.value })} />
        </Field>
        <Field label="До" required error={errorAt(form, "calendar.to")}>
          <Input type="time" value={to} onChange={({ target }) => set({ to: target.value })} />
        </Field>
        <Field label="Сколько длится запись" error={errorAt(form, "calendar.slotMinutes")}>
          <Select value={slotMinutes} onChange={({ target }) => set({ slotMinutes: Number(target.value) })}>
            {[...new Set([...SLOT_MINUTES, slotMinutes])]
              .sort((one, other) => one - other)
              .map((minutes) => (
                <option key={minutes} value={minutes}>
                  {plural(minutes, ["минута", "минуты", "минут"])}
                </option>
              ))}
          </Select>
        </Field>
        <Field label="На сколько дней вперёд" error={errorAt(form, "calendar.daysAhead")}>
          <Input
            type="number"
            inputMode="numeric"
            min={1}
            max={60}
            value={daysAhead === 0 ? "" : daysAhead}
            onChange={({ target }) => set({ daysAhead: Number(target.value) })}
          />
        </Field>
        <Field label="За сколько предупредить" error={errorAt(form, "calendar.noticeMinutes")}>
          <Select value={noticeMinutes} onChange={({ target }) => set({ noticeMinutes: Number(target.value) })}>
            {NOTICES.map(([minutes, name]) => (
              <option key={minutes} value={minutes}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Часовой пояс" error={errorAt(form, "calendar.timeZone")}>
          <Select value={timeZone} onChange={({ target }) => set({ timeZone: target.value })}>
            {zoneChoices(ownZone(), timeZone).map(([zone, name]) => (
              <option key={zone} value={zone}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      </div>
    </>
  );
}
