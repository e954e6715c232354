import { clsx } from "clsx";
import { FlaskConical } from "lucide-react";
import { Avatar } from "#web/ui/avatar.tsx";
import { hasGlyph, PlatformIcon, platformLabelOf } from "#web/ui/platform-icon.tsx";

interface FaceProps {
  name: string;
  platform: string;
  className?: string | undefined;
}

/** A contact's initial with the platform's icon at its corner, or the mark of the owner's own test chat. */
export function RowFace({ name, platform, className }: FaceProps) {
  if (platform !== "test")
    return (
      <span className={clsx("relative shrink-0", className)} title={platformLabelOf(platform)}>
        <Avatar name={name} size="sm" who="contact" />
        {hasGlyph(platform) && (
          <span className="absolute -end-1.5 -bottom-1 grid size-4.5 place-items-center rounded-full bg-surface text-muted">
            <PlatformIcon platform={platform} className="size-3.5!" />
          </span>
        )}
        <span className="sr-only">{platformLabelOf(platform)}</span>
      </span>
    );
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
  choosing: boolean;
  onChoose: (range: boolean) => void;
}

/**
 * Checkbox in place of the avatar: visible on hover, on focus and while others are selected; on touch screens its area can be tapped too.
 */
export function RowChoice({ name, platform, className, chosen, choosing, onChoose }: ChoiceProps) {
  const shown = chosen || choosing;
  return (
    <span className={clsx("relative z-1 grid size-8 shrink-0 place-items-center", className)}>
      <RowFace
        name={name}
        platform={platform}
        className={shown ? "invisible" : "group-focus-within/row:invisible pointer-fine:group-hover/row:invisible"}
      />
      {/* The label makes the target large enough for a thumb. */}
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
          // A change event does not say whether Shift was held.
          onClick={({ shiftKey }) => onChoose(shiftKey)}
          onChange={() => {}}
        />
      </label>
    </span>
  );
}
