import { SendHorizontal, Square } from "lucide-react";
import { type ComponentProps, type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { Button } from "#web/ui/button.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";

const MESSAGE_LIMIT = 8000;

export type ChatFieldProps = Omit<
  ComponentProps<typeof Textarea>,
  "value" | "onChange" | "className" | "ref" | "children"
>;

interface ChatComposerProps {
  draft: string;
  pending: boolean;
  /** Whether the input takes the focus when it appears; true by default. */
  takesFocus?: boolean;
  onDraft: (draft: string) => void;
  onSend: () => void;
  onStop?: () => void;
  placeholder?: string;
  /** Why the twin would not answer, so that sending is disabled; typed text stays. */
  silent?: string;
  /** The input's other events; a key that a handler prevents is not handled by the composer. */
  fieldProps?: ChatFieldProps;
  /** Content between the input and «Отправить». */
  beside?: ReactNode;
}

/** The input of a chat. The user can type while an answer is being generated and send once it is complete. */
export function ChatComposer(props: ChatComposerProps) {
  const {
    draft,
    pending,
    takesFocus = true,
    onDraft,
    onSend,
    onStop,
    placeholder = "Сообщение...",
    silent,
    fieldProps,
    beside,
  } = props;
  const input = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only its appearance moves the focus
  useEffect(() => {
    // A dialog that was opened meanwhile keeps the focus, because its field would lose typed text.
    if (takesFocus && !document.activeElement?.closest("[role$=dialog]")) input.current?.focus({ preventScroll: true });
  }, []);

  function press(event: KeyboardEvent<HTMLTextAreaElement>) {
    fieldProps?.onKeyDown?.(event);
    if (event.defaultPrevented) return;
    // Enter that ends a word of an input method does not send. Safari reports it only by the key code.
    const composing = event.nativeEvent.isComposing || event.keyCode === 229;
    if (event.key !== "Enter" || event.shiftKey || composing) return;
    event.preventDefault();
    send();
  }

  function send() {
    if (silent === undefined) onSend();
  }

  return (
    <form
      className="@container border-t p-3 md:px-4"
      onSubmit={(event) => {
        event.preventDefault();
        send();
        input.current?.focus();
      }}
    >
      <div className="flex items-end gap-2">
        <Textarea
          ref={input}
          rows={1}
          value={draft}
          maxLength={MESSAGE_LIMIT}
          placeholder={silent ?? placeholder}
          readOnly={silent !== undefined}
          data-composer
          aria-label="Сообщение"
          enterKeyHint="send"
          {...fieldProps}
          onChange={(event) => onDraft(event.target.value)}
          onKeyDown={press}
          className="max-h-40! min-h-(--control-h)! scroll-mb-28 resize-none! leading-6"
        />
        {pending && (
          <Button
            aria-label="Остановить"
            aria-keyshortcuts="Escape"
            className="@max-md:w-(--control-h) @max-md:px-0"
            onClick={() => {
              onStop?.();
              input.current?.focus();
            }}
          >
            <Square aria-hidden className="icon" />
            <span className="@max-md:hidden">Остановить</span>
          </Button>
        )}
        {beside}
        <Button
          type="submit"
          aria-label="Отправить"
          className="@max-md:w-(--control-h) @max-md:px-0"
          disabled={pending || silent !== undefined || draft.trim() === ""}
        >
          <SendHorizontal aria-hidden className="icon" />
          <span className="@max-md:hidden">Отправить</span>
        </Button>
      </div>
    </form>
  );
}
