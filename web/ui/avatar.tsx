import { clsx } from "clsx";

interface AvatarProps {
  name: string;
  photo?: string | null | undefined;
  size?: "sm" | "md" | "lg";
  /** The copper ring that says: behind this twin stands a person. Off for people themselves. */
  echo?: boolean;
  /** Somebody who writes to a twin: neutral, because patina is the twin and copper its owner. */
  person?: boolean;
  className?: string;
}

const sizes = { sm: "size-8 text-sm", md: "size-10 text-base", lg: "size-14 text-xl" } as const;

/** Decoration: the name stands in text beside it. */
export function Avatar({ name, photo, size = "md", echo = false, person = false, className }: AvatarProps) {
  const letter = [...name.trim()][0]?.toLocaleUpperCase("ru-RU") ?? "?";
  return (
    <span
      aria-hidden
      className={clsx("relative inline-flex shrink-0 rounded-full", sizes[size], echo && "me-1", className)}
    >
      {echo && <span className="absolute inset-0 translate-x-(--echo-offset) rounded-full border border-echo" />}
      <span
        className={clsx(
          "relative inline-flex size-full items-center justify-center overflow-hidden rounded-full font-semibold",
          person ? "bg-hover text-muted" : "bg-primary-soft text-primary-text",
        )}
      >
        {photo ? <img src={photo} alt="" className="size-full object-cover" referrerPolicy="no-referrer" /> : letter}
      </span>
    </span>
  );
}
