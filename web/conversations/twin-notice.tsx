import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Twin } from "#contract/twins.ts";
import { formatShare } from "#web/i18n/format.ts";
import { paths } from "#web/paths.ts";
import { useTraining } from "#web/twins/queries.ts";

/** What keeps the twin from answering well, and where to change that. */
export function TwinNotice({ twin }: { twin: Pick<Twin, "id" | "status" | "isActive"> }) {
  if (!twin.isActive) {
    return (
      <Notice>
        Двойник приостановлен и не отвечает.{" "}
        <Link href={paths.twinSettings(twin.id)} className="font-medium underline">
          Включите его в&nbsp;настройках
        </Link>
      </Notice>
    );
  }
  return twin.status === "ready" ? null : <LearningNotice twinId={twin.id} />;
}

/** A training that runs ends by itself, one that has nothing to learn from does not. */
function LearningNotice({ twinId }: { twinId: string }) {
  const { data } = useTraining(twinId);
  if (data?.running) {
    return (
      <Notice>
        Двойник сейчас учится ({formatShare(data.progress)}). До конца обучения он может ответить «не&nbsp;знаю»
        и&nbsp;на то, что есть в&nbsp;документах: спросите ещё раз, когда эта строка исчезнет.
      </Notice>
    );
  }
  return (
    <Notice>
      Двойник ещё учится… Ответы станут точнее, когда появятся документы и&nbsp;переписки.{" "}
      <Link href={paths.trainAi} className="font-medium underline">
        Обучить двойника
      </Link>
    </Notice>
  );
}

export function Notice({ children }: { children: ReactNode }) {
  return <p className="bg-warning-soft px-4 py-2.5 text-md text-warning-text md:px-5">{children}</p>;
}
