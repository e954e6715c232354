import { FileText, Globe, type LucideIcon, MessagesSquare } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { plural } from "#web/i18n/plural.ts";
import { useDocuments } from "#web/parts/documents/queries.ts";
import { paths } from "#web/paths.ts";
import { EditorButton } from "#web/session/editor-button.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/layout/card.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ExampleRow } from "./example-row.tsx";

const DOCUMENT_FORMS = ["документ", "документа", "документов"] as const;

/** The tab of sources is the first one shown, so it leads to documents that are there already. */
export default function NoSources({ onTab }: { onTab: (tab: "documents" | "sites") => void }) {
  const documents = useDocuments().data?.length ?? 0;
  return (
    <section aria-label="Источники данных">
      <EmptyState
        open
        title="Источники данных не найдены"
        description={
          documents > 0
            ? `Переписки пока нет. Двойник отвечает по тому, что вы загрузили: ${plural(documents, DOCUMENT_FORMS)}.`
            : "Двойнику пока не на чем учиться: добавьте переписку, документ или сайт."
        }
        action={documents > 0 && <Button onClick={() => onTab("documents")}>Открыть документы</Button>}
      />
      <ul className="mt-2 grid gap-4 md:grid-cols-3">
        <Way
          icon={MessagesSquare}
          title="Переписка"
          gives="Двойник переймёт вашу манеру и запомнит, что вы отвечали."
          act={
            <EditorButton asChild variant="primary">
              <Link href={`${paths.trainAi}?tab=dialogues`}>Загрузить переписку</Link>
            </EditorButton>
          }
        />
        <Way
          icon={FileText}
          title="Документ"
          gives="Прайс, условия, частые вопросы: двойник возьмёт ответы оттуда."
          act={
            <EditorButton asChild>
              <Link href={paths.trainAi}>Загрузить документ</Link>
            </EditorButton>
          }
        />
        <Way
          icon={Globe}
          title="Сайт"
          gives="Двойник прочитает страницы и ответит со ссылкой на них."
          act={<EditorButton onClick={() => onTab("sites")}>Прочитать сайт</EditorButton>}
        />
      </ul>
      <p className="mt-8 mb-2 text-sm text-subtle">Так будет выглядеть первый:</p>
      <ExampleRow title="Чат с Ольгой" detail="WhatsApp" use="53 сообщения, импорт сегодня" />
    </section>
  );
}

interface WayProps {
  icon: LucideIcon;
  title: string;
  gives: string;
  act: ReactNode;
}

const Way = ({ icon: Icon, title, gives, act }: WayProps) => (
  <li className="flex">
    <Card aria-label={title} className="flex flex-1 flex-col items-start p-4 md:p-5">
      <Icon aria-hidden className="size-7 text-subtle" strokeWidth={1.5} />
      <h2 className="mt-3 text-base">{title}</h2>
      <p className="mt-1 mb-4 text-md text-muted">{gives}</p>
      <div className="mt-auto flex max-sm:w-full max-sm:[&>*]:w-full">{act}</div>
    </Card>
  </li>
);
