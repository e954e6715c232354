import { type FormEvent, lazy, Suspense, useState } from "react";
import { flushSync } from "react-dom";
import { type ImportChat, type ImportState, importConsent } from "#contract/knowledge/imports.ts";
import type { Twin } from "#contract/twins.ts";
import { formatNumber, formatShortDate } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { ChatChoice } from "./chat-choice.tsx";
import { messages } from "./import-progress.tsx";
import { namesakeOf } from "./namesake.ts";
import { OwnerField } from "./owner-field.tsx";
import { useStartImport } from "./queries.ts";
import { RejectedLines } from "./rejected-lines.tsx";

const AttachedChoice = lazy(() => import("./attached-choice.tsx"));

interface ImportPreviewProps {
  state: ImportState;
  twin: Pick<Twin, "name"> | undefined;
}

export function ImportPreview({ state, twin }: ImportPreviewProps) {
  const { id, chats, people, suggestedOwner, incomplete } = state;
  const namesake = suggestedOwner === null && twin ? namesakeOf(twin.name, people) : null;
  const [picked, setOwner] = useState<string | null>(null);
  const owner = picked ?? suggestedOwner ?? namesake ?? "";
  const [chosen, setChosen] = useState(
    () => new Set(chats.filter(({ kind }) => kind === "private").map((chat) => chat.id)),
  );
  const [attached, setAttached] = useState(false);
  const [consent, setConsent] = useState(false);
  const [tried, setTried] = useState(false);
  const start = useStartImport();
  const count = chats.reduce((sum, chat) => sum + (chosen.has(chat.id) ? chat.messages : 0), 0);
  const faults = {
    owner: owner === "" ? "Укажите, кто здесь вы" : undefined,
    chats: chosen.size === 0 ? "Выберите хотя бы один чат" : undefined,
    consent: consent ? undefined : "Подтвердите право использовать переписку",
  };
  const missing = [
    ...(faults.owner ? ["указать, кто здесь вы"] : []),
    ...(faults.chats ? ["выбрать чаты"] : []),
    ...(faults.consent ? ["подтвердить право на переписку"] : []),
  ];

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (Object.values(faults).some(Boolean)) {
      flushSync(() => setTried(true));
      // The button is far below the first question, so the first error is scrolled into view.
      const [first] = event.currentTarget.querySelectorAll('[role="alert"]');
      first?.scrollIntoView({ block: "center" });
      return;
    }
    const { version: consentVersion } = importConsent;
    start.mutate({ id, ownerId: owner, chatIds: [...chosen], consentVersion, ...(attached && { attached }) });
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-6">
      {incomplete && (
        <p className="rounded-lg bg-warning-soft px-4 py-3 text-md text-warning-text">
          Файл обрывается или повреждён: прочитано всё, что удалось. Если чего-то не хватает, выгрузите его ещё раз.
        </p>
      )}
      <RejectedLines state={state} />
      {/* Questions and the action are on the left, the chats' messages beside them; on a phone the chats follow the first question. */}
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-2 lg:grid-rows-[auto_1fr] lg:gap-x-10">
        <OwnerField
          people={people}
          value={owner}
          guess={{ byFile: suggestedOwner, byName: namesake }}
          onChange={setOwner}
          error={tried ? faults.owner : undefined}
        />
        <div className="min-w-0 lg:col-start-2 lg:row-span-2 lg:row-start-1">
          <ChatChoice
            chats={chats}
            aboutOf={sizeOf}
            chosen={chosen}
            onChange={setChosen}
            error={tried ? faults.chats : undefined}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          {chats.some((chat) => chat.attached) && (
            <Suspense>
              <AttachedChoice chats={chats} chosen={chosen} checked={attached} onChange={setAttached} />
            </Suspense>
          )}
          <fieldset className="flex flex-col gap-2">
            <legend className="sr-only">Согласие</legend>
            <Checkbox
              className="w-fit py-1"
              checked={consent}
              aria-invalid={(tried && !consent) || undefined}
              aria-describedby={tried && !consent ? `${id}-consent` : undefined}
              onChange={(event) => setConsent(event.target.checked)}
            >
              {importConsent.confirmation}
            </Checkbox>
            {tried && faults.consent && (
              <p id={`${id}-consent`} role="alert" className="text-danger-text text-sm">
                {faults.consent}
              </p>
            )}
            <details className="text-muted text-sm">
              <summary className="w-fit rounded-sm font-medium text-primary-text">Подробнее о чужих сообщениях</summary>
              <p className="mt-2 max-w-measure">{importConsent.statement}</p>
            </details>
          </fieldset>
          <div className="flex flex-col items-start gap-2">
            {/* Clicking the button too early focuses the first missing answer. */}
            <Button
              type="submit"
              variant="primary"
              className="max-sm:w-full"
              busy={start.isPending}
              aria-describedby={`${id}-missing`}
            >
              {start.isPending ? "Запускаем..." : "Начать импорт"}
            </Button>
            <div role="status" className="text-sm tabular-nums">
              <p id={`${id}-missing`}>{missing.length > 0 && `Осталось: ${missing.join(", ")}`}</p>
              <p className="text-subtle">
                Выбрано: {formatNumber(chosen.size)} из {formatNumber(chats.length)}, {plural(count, messages)}
              </p>
            </div>
          </div>
        </div>
      </div>
    </form>
  );
}

/** Returns the size of a chat, such as «12 сообщений · 3 мая–7 июня». */
function sizeOf({ messages: count, from, to }: ImportChat): string {
  const days = from && to ? [...new Set([formatShortDate(from), formatShortDate(to)])].join("–") : "";
  return [plural(count, messages), days].filter(Boolean).join(" · ");
}
