import { useId, useState } from "react";
import type { TwinVersion, VersionChange, VersionComparison } from "#contract/versions.ts";
import { useComparison } from "#web/parts/corrections/queries.ts";
import { Field } from "#web/ui/forms/field.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { Dialog, DialogContent } from "#web/ui/overlays/dialog.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { versionName } from "./version-name.ts";

interface CompareDialogProps {
  twinId: string;
  version: TwinVersion;
  versions: readonly TwinVersion[];
  onClose: () => void;
}

/** Compares two versions, the older first; initially the chosen one and the previous one. */
export default function CompareDialog({ twinId, version, versions, onClose }: CompareDialogProps) {
  const others = versions.filter(({ id }) => id !== version.id);
  const before = versions[versions.findIndex(({ id }) => id === version.id) + 1];
  const [other, setOther] = useState(before?.id ?? others[0]!.id);
  const query = useComparison(twinId, version.id, other);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title="Сравнение версий" description={versionName(version)} size="lg">
        <Field label="Сравнить с версией">
          <Select value={other} onChange={({ target }) => setOther(target.value)}>
            {others.map((one) => (
              <option key={one.id} value={one.id}>
                {versionName(one)}
              </option>
            ))}
          </Select>
        </Field>
        <div className="mt-5">
          {query.data ? (
            <Comparison comparison={query.data} />
          ) : query.error ? (
            <ErrorCard title="Не удалось сравнить" error={query.error} onRetry={() => void query.refetch()} />
          ) : (
            <LoadingStatus className="min-h-32">Сравниваем...</LoadingStatus>
          )}
        </div>
      </DialogContent>
    </Dialog>
  );
}

function Comparison({ comparison: { settings, corrections, style } }: { comparison: VersionComparison }) {
  if (settings.length + corrections.length + style.length === 0) {
    return <p className="text-md text-muted">Эти версии ничем не отличаются.</p>;
  }
  return (
    <div className="flex flex-col gap-6">
      <Changes title="Описание и настройки" changes={settings} />
      <Changes title="Исправления" changes={corrections} />
      <Changes title="Манера письма" changes={style} />
    </div>
  );
}

function Changes({ title, changes }: { title: string; changes: readonly VersionChange[] }) {
  const id = useId();
  if (changes.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="text-md">
        {title}
      </h3>
      <ul className="mt-2 flex flex-col gap-3">
        {changes.map(({ name, before, after }) => (
          <li key={name} className="rounded-lg border p-3 text-md [overflow-wrap:anywhere]">
            <p className="font-medium">{name}</p>
            <dl className="mt-1.5 grid gap-x-4 gap-y-1 sm:grid-cols-2">
              <Side name="Было" text={before} />
              <Side name="Стало" text={after} />
            </dl>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Side({ name, text }: { name: string; text: string | null }) {
  return (
    <div>
      <dt className="text-sm text-subtle">{name}</dt>
      <dd className="whitespace-pre-line">{text ?? <span className="text-subtle">нет</span>}</dd>
    </div>
  );
}
