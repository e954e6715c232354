import { type ReactNode, useId, useState } from "react";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";

interface PublicReplyFormProps {
  question: string;
  /** The question as shown above the form. While it is unchanged, its field is hidden behind a button. */
  readAbove?: string;
  reply: string;
  limits: { question: number; reply: number };
  /** Returns a sentence that says why the text is not allowed; the form cannot be submitted then. */
  objection?: (text: string) => string | undefined;
  questionHint?: string;
  /** Label of the reply's field, which names the recipients. */
  replyLabel?: string;
  action: { label: string; keyHint: string };
  /** Second button, which publishes to more people, and the note that names them. */
  wider?: { label: string; note: string; onSubmit: (question: string, reply: string) => void };
  /** Says who receives the answer when the main button is pressed. */
  note?: string;
  busy: boolean;
  /** Whether the page blocks submitting for its own reason; `busy` shows that the form is being submitted. */
  disabled?: boolean;
  /** Whether the reply's field takes the focus in a form that is always visible. */
  focusesReply?: boolean;
  onSubmit: (question: string, reply: string) => void;
  onReplyChange?: (reply: string) => void;
  /** When absent, the form is always visible and takes no focus. */
  onCancel?: () => void;
  children?: ReactNode;
  /** More buttons after those of the form; gets the id of `otherNote`. */
  otherActs?: (noteId: string) => ReactNode;
  /** Says what the other buttons do, after what is said of the form's own. */
  otherNote?: string;
}

/** Form of a question and its reply as their readers may see them. For public replies the owner removes personal data. */
export function PublicReplyForm(props: PublicReplyFormProps) {
  const { limits, objection, questionHint, replyLabel = "Двойник ответит всем", action, wider, note } = props;
  const { busy, disabled = false, focusesReply = false } = props;
  const { onSubmit, onReplyChange, onCancel, children, otherActs, otherNote } = props;
  const [question, setQuestion] = useState(props.question);
  const [reply, setReply] = useState(props.reply);
  const [inQuestion, inReply] = [objection?.(question), objection?.(reply)];
  // The field stays for the life of the form: hiding it once its objection is resolved would remove it while the user types.
  const [atOnce] = useState(props.question !== props.readAbove || inQuestion !== undefined);
  const [rewords, setRewords] = useState(atOnce);
  const complete = question.trim() !== "" && reply.trim() !== "" && !inQuestion && !inReply;
  const about = useId();
  const ownNote = [note, wider?.note].filter(Boolean).join(" ");
  const submit = (act = onSubmit) => {
    if (complete && !busy && !disabled) act(question.trim(), reply.trim());
  };
  // The reply usually needs editing and takes the focus, unless the question contains something that is not allowed.
  const beginsWithQuestion = objection === undefined || inQuestion !== undefined;
  const questionField = !rewords ? (
    <Button variant="ghost" size="sm" className="-ms-3 self-start" onClick={() => setRewords(true)}>
      Изменить формулировку вопроса
    </Button>
  ) : (
    <Field label="Когда спросят так" hint={questionHint} error={inQuestion}>
      <Textarea
        autoFocus={onCancel === undefined ? !atOnce : beginsWithQuestion}
        rows={2}
        maxLength={limits.question}
        value={question}
        onChange={(event) => setQuestion(event.target.value)}
      />
    </Field>
  );
  const replyField = (
    <Field label={replyLabel} hint={<span className="max-md:hidden">{action.keyHint}</span>} error={inReply}>
      <Textarea
        autoFocus={focusesReply || (onCancel !== undefined && !beginsWithQuestion)}
        rows={3}
        maxLength={limits.reply}
        value={reply}
        onChange={(event) => {
          setReply(event.target.value);
          onReplyChange?.(event.target.value);
        }}
      />
    </Field>
  );
  return (
    <form
      className="mt-3 flex max-w-measure flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
        else if (event.key === "Escape" && onCancel) onCancel();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {questionField}
      {replyField}
      {children}
      {/* One line in the order of the buttons. */}
      {(ownNote || otherNote) && (
        <p className="text-muted text-sm">
          {ownNote && <span id={about}>{ownNote}</span>} {otherNote && <span id={`${about}-other`}>{otherNote}</span>}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="primary"
          aria-describedby={ownNote ? about : undefined}
          className="max-sm:w-full"
          busy={busy}
          disabled={!complete || busy || disabled}
        >
          {action.label}
        </Button>
        {wider && (
          <Button
            aria-describedby={about}
            className="max-sm:w-full"
            disabled={!complete || busy || disabled}
            onClick={() => submit(wider.onSubmit)}
          >
            {wider.label}
          </Button>
        )}
        {onCancel && (
          <Button className={otherActs ? "max-sm:flex-1" : "max-sm:w-full"} disabled={busy} onClick={onCancel}>
            Отмена
          </Button>
        )}
        {otherActs?.(`${about}-other`)}
      </div>
    </form>
  );
}
