import { SendHorizontal } from "lucide-react";
import { type ComponentType, type FormEvent, lazy, Suspense, useRef, useState } from "react";
import { SHOWCASE_QUESTION_LIMIT } from "#contract/showcase.ts";
import { BrandMark } from "#web/ui/brand-mark.tsx";
import { Button } from "#web/ui/button.tsx";
import { ChatBubble } from "#web/ui/chat-bubble.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Asking } from "./asking.tsx";
import type { ExchangesProps } from "./exchanges.tsx";
import { NotLoaded } from "./not-loaded.tsx";
import { QUESTIONS } from "./questions.ts";

const SHOP = "Полтора чайника";
const GREETING = "Здравствуйте! Я ИИ-двойник магазина чая и кофе «Полтора чайника». Что вам рассказать?";

/** Prerendered in the page, so its code need not load first. */
const Example = lazy<ComponentType<{ name: string }>>(() =>
  import("./example.tsx").catch(() => ({ default: () => null })),
);
const loadExchanges = () => import("./exchanges.tsx");
const Exchanges = lazy<ComponentType<ExchangesProps>>(() => loadExchanges().catch(() => ({ default: NotLoaded })));
/** Loads the code while the visitor is choosing. Failures are ignored here; asking reports them. */
const preload = () => void loadExchanges().catch(() => undefined);

const greeting = (
  <ChatBubble author="twin" authorLabel={SHOP}>
    {GREETING}
  </ChatBubble>
);

/** A twin that answers every visitor. The card's size is fixed, so that nothing below it moves. */
export function TalkCard({ createPath }: { createPath: string }) {
  const [asked, setAsked] = useState<readonly string[]>([]);
  const [answered, setAnswered] = useState(0);
  const [said, setSaid] = useState("");
  const [draft, setDraft] = useState("");
  const thread = useRef<HTMLDivElement>(null);
  const busy = answered < asked.length;

  function ask(question: string) {
    if (!busy) setAsked((before) => [...before, question]);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (busy || draft.trim() === "") return;
    ask(draft.trim());
    setDraft("");
  }

  return (
    <section
      aria-labelledby="talk"
      onPointerEnter={preload}
      onFocus={preload}
      className="grid w-full grid-cols-1 gap-3 rounded-lg border bg-surface p-4 md:p-5 lg:grid-cols-[24rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr_auto_auto] lg:gap-x-8"
    >
      <div className="flex items-center gap-3">
        <BrandMark className="h-6" />
        <div className="min-w-0">
          <h2 id="talk" className="text-lg">
            Спросите двойника сами
          </h2>
          <p className="text-muted text-sm">
            Магазин вымышлен, ответы настоящие: по&nbsp;его документам, без&nbsp;входа.
          </p>
        </div>
      </div>
      <div
        ref={thread}
        role="log"
        aria-live="off"
        aria-label="Разговор с двойником"
        aria-busy={busy}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
        tabIndex={0}
        className="relative h-96 overflow-y-auto overscroll-contain rounded-md bg-bg p-3 lg:col-start-2 lg:row-span-4 lg:row-start-1"
      >
        <ol className="flex flex-col gap-3">
          {asked.length === 0 ? (
            <Suspense fallback={greeting}>
              <Example name={SHOP} />
            </Suspense>
          ) : (
            <>
              {greeting}
              <Suspense fallback={<Asking name={SHOP} question={asked[0]!} />}>
                <Exchanges
                  name={SHOP}
                  asked={asked}
                  createPath={createPath}
                  box={thread}
                  onAnswered={(answer) => {
                    setAnswered((count) => count + 1);
                    setSaid(answer);
                  }}
                />
              </Suspense>
            </>
          )}
        </ol>
      </div>
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
      <ul aria-label="Готовые вопросы" className="flex flex-wrap content-start gap-2 noscript:hidden">
        {QUESTIONS.map((question) => (
          <li key={question} className="max-w-full">
            <Button
              size="sm"
              aria-disabled={busy}
              className="h-auto! min-h-8 max-w-full whitespace-normal! py-1 text-start"
              onClick={() => ask(question)}
            >
              {question}
            </Button>
          </li>
        ))}
      </ul>
      <form onSubmit={submit} className="flex gap-2 noscript:hidden">
        <Input
          value={draft}
          maxLength={SHOWCASE_QUESTION_LIMIT}
          placeholder="Ваш вопрос магазину"
          aria-label="Ваш вопрос"
          autoComplete="off"
          enterKeyHint="send"
          onChange={(event) => setDraft(event.target.value)}
        />
        <Button
          type="submit"
          aria-label="Спросить"
          className="max-sm:w-(--control-h) max-sm:px-0"
          disabled={busy || draft.trim() === ""}
        >
          <SendHorizontal aria-hidden className="icon" />
          <span className="max-sm:hidden">Спросить</span>
        </Button>
      </form>
      <p className="text-sm text-subtle">Вопросы нигде не&nbsp;сохраняются.</p>
    </section>
  );
}
