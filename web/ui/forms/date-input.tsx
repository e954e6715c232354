import { Calendar } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "../button.tsx";
import { Input } from "./input.tsx";

interface DateInputProps {
  /** YYYY-MM-DD, or "" for none. */
  value: string;
  min?: string | undefined;
  max?: string | undefined;
  onChange: (value: string) => void;
}

/**
 * A date field in the interface's format. The browser's own field follows the browser's language instead of the page's, so only
 * its calendar is used.
 */
export function DateInput({ value, min, max, onChange }: DateInputProps) {
  const [text, setText] = useState(written(value));
  const [before, setBefore] = useState(value);
  const calendar = useRef<HTMLInputElement>(null);
  if (value !== before) {
    setBefore(value);
    if (dayOf(text) !== value) setText(written(value));
  }

  return (
    <div className="relative">
      <Input
        inputMode="numeric"
        placeholder="дд.мм.гггг"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          onChange(dayOf(event.target.value));
        }}
      />
      <input
        ref={calendar}
        type="date"
        tabIndex={-1}
        aria-hidden
        value={value}
        min={min}
        max={max}
        onChange={(event) => onChange(event.target.value)}
        className="pointer-events-none absolute inset-0 size-full opacity-0"
      />
      <Button
        variant="ghost"
        size="icon"
        className="absolute end-0 top-0"
        aria-label="Выбрать в календаре"
        onClick={() => calendar.current?.showPicker()}
      >
        <Calendar aria-hidden className="icon" />
      </Button>
    </div>
  );
}

const written = (day: string) => day.split("-").reverse().join(".");

/** Returns the day that a text states in full, or "". */
export function dayOf(text: string): string {
  const [, day = "", month = "", year = ""] = /^\s*(\d{1,2})[.\s/](\d{1,2})[.\s/](\d{4})\s*$/.exec(text) ?? [];
  const named = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const date = new Date(`${named}T00:00Z`);
  // An impossible day, such as 31.02, becomes another one.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(named) ? named : "";
}
