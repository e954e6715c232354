import { type ReactNode, useId, useState } from "react";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";

interface PublicReplyFormProps {
  question: string;
  /** The question where it is read above the form: while it is the same, its field is a press away. */
  readAbove?: string;
  reply: string;
  limits: { question: number; reply: number };
  /** What a text must not hold, as a sentence; such a text cannot be submitted. */
  objection?: (text: string) => string | undefined;
  questionHint?: string;
  /** The name of the reply's field: who gets the reply. */
  replyLabel?: string;
  /** What the main button and Ctrl+Enter do. */
  action: { label: string; keyHint: string };
  /** Another button that tells more people, and the sentence beside it that says who they are. */
  wider?: { label: string; note: string; onSubmit: (question: string, reply: string) => void };
  /** Says who will get the answer from the main button. */
  note?: string;
  busy: boolean;
  /** Whether it cannot be submitted now for a reason of the page's; `busy` shows that it is being submitted. */
  disabled?: boolean;
  /** Whether the reply takes the focus in a form that stands there always. */
  focusesReply?: boolean;
  onSubmit: (question: string, reply: string) => void;
  onReplyChange?: (reply: string) => void;
  /** Absent: the form stands there always. It takes no focus then. */
  onCancel?: () => void;
  /** Stands between the fields and the buttons. */
  children?: ReactNode;
  /** Stands beside the button. */
  otherActs?: ReactNode;
}

/** A question and its reply as their readers may see them: for public replies the owner takes out personal data. */
export function PublicReplyForm(props: PublicReplyFormProps) {
  const { limits, objection, questionHint, replyLabel = "Двойник ответит всем", action, wider, note } = props;
  const { busy, disabled = false, focusesReply = false } = props;
  const { onSubmit, onReplyChange, onCancel, children, otherActs } = props;
  const [question, setQuestion] = useState(props.question);
  const [reply, setReply] = useState(props.reply);
  const [inQuestion, inReply] = [objection?.(question), objection?.(reply)];
  // Who begins with it keeps it: a field that went away with its objection would go from under the typing.
  const [atOnce] = useState(props.question !== props.readAbove || inQuestion !== undefined);
  const [rewords, setRewords] = useState(atOnce);
  const complete = question.trim() !== "" && reply.trim() !== "" && !inQuestion && !inReply;
  const about = useId();
  const submit = (act = onSubmit) => {
    if (complete && !busy && !disabled) act(question.trim(), reply.trim());
  };
  // The reply is what mostly needs a look, but for a question that may not stand as it is.
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
      {(note || wider) && (
        <p id={about} className="text-muted text-sm">
          {[note, wider?.note].filter(Boolean).join(" ")}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="primary"
          aria-describedby={note || wider ? about : undefined}
          className={otherActs ? "max-sm:w-full" : ""}
          busy={busy}
          disabled={!complete || busy || disabled}
        >
          {action.label}
        </Button>
        {wider && (
          <Button
            aria-describedby={about}
            className={otherActs ? "max-sm:w-full" : ""}
            disabled={!complete || busy || disabled}
            onClick={() => submit(wider.onSubmit)}
          >
            {wider.label}
          </Button>
        )}
        {onCancel && (
          <Button disabled={busy} onClick={onCancel}>
            Отмена
          </Button>
        )}
        {otherActs}
      </div>
    </form>
  );
}
