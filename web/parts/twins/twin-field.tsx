import type { ComponentProps } from "react";
import type { Twin } from "#contract/twins.ts";
import { Field } from "#web/ui/forms/field.tsx";
import { Select } from "#web/ui/forms/select.tsx";

export interface TwinChoice {
  twins: Twin[];
  twinId: string;
  onTwin: (id: string) => void;
  /** Why nothing can be taught here; null when it can. */
  readOnly: string | null;
}

interface TwinFieldProps extends ComponentProps<typeof Select> {
  twins: Twin[];
  error?: string | undefined;
}

export function TwinField({ twins, error, ...select }: TwinFieldProps) {
  return (
    <Field label="Цифровой двойник" required error={error}>
      <Select placeholder="Выберите двойника" {...select}>
        {twins.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  );
}
