import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Twin } from "#contract/twins.ts";
import { paths } from "#web/paths.ts";

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
  if (twin.status === "ready") return null;
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
