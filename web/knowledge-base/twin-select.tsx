import type { Twin } from "#contract/twins.ts";
import { Select } from "#web/ui/forms/select.tsx";

interface TwinSelectProps {
  twins: readonly Pick<Twin, "id" | "name">[];
  value: string;
  onChange: (value: string) => void;
}

export function TwinSelect({ twins, value, onChange }: TwinSelectProps) {
  if (twins.length < 2 && value === "all") return null;
  return (
    <Select
      aria-label="Двойник"
      className="basis-44 max-sm:flex-1"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="all">Все двойники</option>
      {twins.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}
