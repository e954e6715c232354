import { clsx } from "clsx";
import { FlaskConical } from "lucide-react";
import { Avatar } from "#web/ui/avatar.tsx";

interface FaceProps {
  name: string;
  isTest: boolean;
  className?: string | undefined;
}

/** Who writes: a person's letter, or the mark of the owner's own test chat, which is no customer. */
export function RowFace({ name, isTest, className }: FaceProps) {
  if (!isTest) return <Avatar name={name} size="sm" who="contact" {...(className ? { className } : {})} />;
  return (
    <span
      aria-hidden
      className={clsx(
        "grid size-8 shrink-0 place-items-center rounded-full border border-dashed text-subtle",
        className,
      )}
    >
      <FlaskConical className="icon" />
    </span>
  );
}

interface ChoiceProps extends FaceProps {
  chosen: boolean;
  /** Whether any row is chosen: then all show their boxes. */
  choosing: boolean;
  onChoose: (range: boolean) => void;
}

/** In the avatar's place: under a pointer, with the focus and while others are chosen; a thumb finds it there too. */
export function RowChoice({ name, isTest, className, chosen, choosing, onChoose }: ChoiceProps) {
  const shown = chosen || choosing;
  return (
    <span className={clsx("relative z-1 grid size-8 shrink-0 place-items-center", className)}>
      <RowFace
        name={name}
        isTest={isTest}
        className={shown ? "invisible" : "group-focus-within/row:invisible pointer-fine:group-hover/row:invisible"}
      />
      {/* The label makes the place as large as a thumb. */}
      <label
        className={clsx(
          "absolute -inset-2 grid cursor-pointer place-items-center",
          !shown && "opacity-0 group-focus-within/row:opacity-100 pointer-fine:group-hover/row:opacity-100",
        )}
      >
        <input
          type="checkbox"
          aria-label={`Выбрать: ${name}`}
          aria-keyshortcuts="X"
          className="size-4.5 cursor-[inherit] accent-primary"
          checked={chosen}
          // A change does not say whether Shift was held.
          onClick={({ shiftKey }) => onChoose(shiftKey)}
          onChange={() => {}}
        />
      </label>
    </span>
  );
}
