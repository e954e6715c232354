import { clsx } from "clsx";
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import type { Gap } from "#contract/gaps.ts";
import { formatWhen } from "#web/i18n/when.ts";
import { gapTitle } from "#web/parts/gaps/gap-title.ts";
import { scrollToOpened } from "#web/ui/layout/scroll-to-opened.ts";
import { useIsDesktop } from "#web/ui/use-is-desktop.ts";
import { askedCountText } from "./gap-words.ts";

interface OpenGapsProps {
  gaps: readonly Gap[];
  children: (gap: Gap) => ReactNode;
  below: ReactNode;
}

/**
 * Unanswered questions, the most asked first: a list beside the current one at desktop width, expanding rows on a narrow screen. Text
 * typed into one stays while another is shown.
 */
export function OpenGaps({ gaps, children, below }: OpenGapsProps) {
  const isDesktop = useIsDesktop();
  const [chosen, setChosen] = useState<string | null>(null);
  const [opened, setOpened] = useState<readonly string[]>([]);
  const pane = useId();
  const list = useRef<HTMLUListElement>(null);
  // The first gap is shown until another is chosen, and again after a decision. On a narrow screen all can be closed.
  const shown = gaps.find(({ id }) => id === chosen) ?? (chosen === "" && !isDesktop ? undefined : gaps[0]);
  // The shown gap stays the same when new questions change the order.
  if (shown && shown.id !== chosen) setChosen(shown.id);
  if (shown && !opened.includes(shown.id)) setOpened([...opened, shown.id]);

  // Opening a row closes the one above, which moves the opened question out of the window.
  const pressed = useRef("");
  useLayoutEffect(() => {
    if (isDesktop || pressed.current === "" || pressed.current !== shown?.id) return;
    pressed.current = "";
    const row = list.current?.querySelector("[aria-expanded=true]")?.closest("li");
    if (row) scrollToOpened(row, "top");
  }, [isDesktop, shown?.id]);

  const count = useRef(gaps.length);
  // Keyboard users continue from the list, because the clicked button is gone.
  useLayoutEffect(() => {
    const decided = gaps.length < count.current;
    count.current = gaps.length;
    if (decided && document.activeElement === document.body) list.current?.querySelector("button")?.focus();
  }, [gaps.length]);

  return (
    // One DOM tree for both layouts, so that typed text survives rotating a tablet. At desktop width the last row takes the extra height.
    <div
      className="grid grid-cols-1 lg:grid-cols-[14rem_minmax(0,1fr)] xl:grid-cols-[20rem_minmax(0,1fr)]"
      style={{ gridTemplateRows: `repeat(${gaps.length}, min-content) 1fr` }}
    >
      <ul ref={list} aria-label="Вопросы без ответа" className="divide-y lg:contents">
        {gaps.map((gap) => (
          <li key={gap.id} className="[overflow-wrap:anywhere] lg:contents">
            <button
              type="button"
              aria-expanded={gap === shown}
              aria-controls={opened.includes(gap.id) ? `${pane}-${gap.id}` : undefined}
              onClick={() => {
                pressed.current = gap === shown ? "" : gap.id;
                setChosen(gap === shown && !isDesktop ? "" : gap.id);
              }}
              className={clsx(
                "flex w-full cursor-pointer flex-col gap-0.5 px-4 py-2 text-start transition-colors hover:bg-hover",
                "focus-visible:outline-offset-[-3px] max-lg:py-3 md:px-5",
                gap === shown && "lg:bg-primary-soft",
              )}
              style={{ gridColumn: 1 }}
            >
              <span className={clsx("text-md", gap === shown ? "font-medium" : "line-clamp-2")}>
                {titleOf(gap).title}
              </span>
              <span className={clsx("text-muted text-sm tabular-nums", gap === shown && "max-lg:hidden")}>
                {[askedCountText(gap), formatWhen(gap.lastAskedAt)].filter(Boolean).join(" · ")}
              </span>
            </button>
            {opened.includes(gap.id) && (
              <section
                id={`${pane}-${gap.id}`}
                aria-label={titleOf(gap).title}
                hidden={gap !== shown}
                className="min-w-0 px-4 pb-4 md:px-5 lg:border-s lg:p-8"
                style={{ gridColumn: 2, gridRow: `1 / span ${gaps.length + 1}` }}
                onFocus={({ target, currentTarget }) => {
                  // The row that is open from the start has its buttons below a phone's window.
                  const row = target instanceof HTMLTextAreaElement && currentTarget.closest("li");
                  if (row && !isDesktop) scrollToOpened(row, "top");
                }}
              >
                <h3 className="max-w-measure text-lg max-lg:hidden">{titleOf(gap).title}</h3>
                {titleOf(gap).after !== null && (
                  <p className="max-w-measure text-muted text-sm">После вопроса: {titleOf(gap).after}</p>
                )}
                {children(gap)}
              </section>
            )}
          </li>
        ))}
      </ul>
      <div className="min-w-0" style={{ gridColumn: 1 }}>
        {below}
      </div>
    </div>
  );
}

const titleOf = ({ question, questions }: Gap) => gapTitle(question, questions[0]?.text);
