import { useState } from "react";
import type { SnoozeTimes } from "#contract/conversations/acts.ts";
import { LOCALE } from "#web/i18n/locale.ts";
import { plural } from "#web/i18n/plural.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Dialog, DialogContent } from "#web/ui/overlays/dialog.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { useSnoozeTimes } from "./queries.ts";

const names: Record<SnoozeTimes["times"][number]["name"], string> = {
  later: "Позже сегодня",
  tomorrow: "Завтра утром",
  "next-week": "На следующей неделе",
};

const DAY_AND_TIME: Intl.DateTimeFormatOptions = {
  day: "numeric",
  month: "long",
  hour: "2-digit",
  minute: "2-digit",
};

interface SnoozeDialogProps {
  count: number;
  /** `when` is the time in words, in the genitive after «до». */
  onChoose: (until: string, when: string) => void;
  onClose: () => void;
}

/** Dialog for the end of a snooze: later today, tomorrow, next week or a custom time, in the organisation's time zone. */
export default function SnoozeDialog({ count, onChoose, onClose }: SnoozeDialogProps) {
  const { data, error, refetch } = useSnoozeTimes();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        size="sm"
        title={count === 1 ? "Отложить диалог" : `Отложить ${plural(count, ["диалог", "диалога", "диалогов"])}`}
        description={
          <>
            Вернётся сам в&nbsp;это время, а&nbsp;если собеседник напишет&nbsp;— сразу. Черновики двойника ждут решения
            как&nbsp;обычно.
          </>
        }
      >
        {data ? (
          <Times {...data} onChoose={onChoose} />
        ) : error ? (
          <ErrorCard title="Не удалось загрузить время" error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingStatus>Загрузка...</LoadingStatus>
        )}
      </DialogContent>
    </Dialog>
  );
}

function Times({ timeZone, times, onChoose }: SnoozeTimes & Pick<SnoozeDialogProps, "onChoose">) {
  const [own, setOwn] = useState("");
  const moment = new Intl.DateTimeFormat(LOCALE, { ...DAY_AND_TIME, weekday: "short", timeZone });
  const foreign = timeZone !== Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <div className="flex flex-col gap-4">
      <ul aria-label="До какого времени" className="flex flex-col gap-2">
        {times.map(({ name, at }, place) => (
          <li key={name}>
            <Button
              // The first option takes the focus.
              autoFocus={place === 0}
              className="h-auto! min-h-control w-full flex-wrap justify-between! gap-x-2! gap-y-0! py-1.5"
              onClick={() => onChoose(at, moment.format(new Date(at)))}
            >
              {names[name]}
              <span className="font-normal text-muted tabular-nums">{moment.format(new Date(at))}</span>
            </Button>
          </li>
        ))}
      </ul>
      <form
        className="flex flex-wrap items-end gap-2 border-t pt-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (own === "") return;
          // The time is formatted as entered, because it is in the organisation's time zone and not in the browser's.
          const wall = new Intl.DateTimeFormat(LOCALE, { ...DAY_AND_TIME, timeZone: "UTC" });
          onChoose(own, wall.format(new Date(`${own}Z`)));
        }}
      >
        <Field
          label="Другое время"
          className="min-w-0 flex-1 basis-48"
          {...(foreign ? { hint: `По часам организации: ${timeZone}` } : {})}
        >
          <Input
            type="datetime-local"
            value={own}
            min={localNow(timeZone)}
            onChange={({ target }) => setOwn(target.value)}
          />
        </Field>
        <Button type="submit" disabled={own === ""} className={foreign ? "mb-6" : ""}>
          Отложить
        </Button>
      </form>
    </div>
  );
}

/** Returns the current time in a time zone, such as «2026-11-25T09:00». */
const localNow = (timeZone: string): string =>
  new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" })
    .format(new Date())
    .replace(" ", "T");
