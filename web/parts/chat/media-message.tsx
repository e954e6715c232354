import { clsx } from "clsx";
import { Play } from "lucide-react";
import { useState } from "react";
import type { MessageMedia } from "#contract/media.ts";
import { formatShare } from "#web/i18n/format.ts";
import { Button } from "#web/ui/button.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { useOriginal } from "./use-original.ts";

export default function MediaMessage({ content, media }: { content: string; media: readonly MessageMedia[] }) {
  const words = wordsOf(content, media);
  return (
    <span className="flex min-w-0 flex-col gap-2">
      {media.map((one) => (
        <Original key={one.id} media={one} />
      ))}
      {words !== "" && <span className="whitespace-pre-wrap [overflow-wrap:anywhere]">{words}</span>}
    </span>
  );
}

/** Returns the text without the names of the media that are shown. */
function wordsOf(content: string, media: readonly MessageMedia[]): string {
  let rest = content;
  for (const { name } of media) rest = rest.replace(`[${name}]`, "").trimStart();
  return rest.trim();
}

export function Original({ media }: { media: MessageMedia }) {
  const { kind, name, hasOriginal } = media;
  return (
    <span className="flex min-w-0 flex-col gap-1">
      {!hasOriginal ? (
        <span className="text-muted">{name}</span>
      ) : kind === "speech" ? (
        <Recording media={media} />
      ) : (
        <Picture media={media} />
      )}
      <Reading media={media} />
    </span>
  );
}

/** Loads the recording only when the user plays it. */
function Recording({ media: { id, name, seconds } }: { media: MessageMedia }) {
  const [wanted, setWanted] = useState(false);
  const { url, failed, retry } = useOriginal(id, wanted);
  if (failed) return <Failed onRetry={retry} />;
  if (url === null)
    return (
      <Button size="sm" className="w-fit" busy={wanted} onClick={() => setWanted(true)}>
        {!wanted && <Play aria-hidden className="icon" />}
        {name}
        {seconds !== null && `, ${lengthOf(seconds)}`}
      </Button>
    );
  return (
    // biome-ignore lint/a11y/useMediaCaption: what is said in it stands below
    <audio controls autoPlay src={url} aria-label={name} className="h-10 w-72 max-w-full" />
  );
}

function Picture({ media: { id, name, text } }: { media: MessageMedia }) {
  const { url, failed, retry } = useOriginal(id, true);
  if (failed) return <Failed onRetry={retry} />;
  if (url === null) return <Skeleton className="h-40 w-60 max-w-full" />;
  return (
    <a href={url} target="_blank" rel="noreferrer" className="w-fit rounded-md">
      <img
        src={url}
        alt={text === "" ? name : `${name}: ${text.slice(0, 120)}`}
        className="max-h-60 max-w-full rounded-md border"
      />
    </a>
  );
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return (
    <span className="flex flex-wrap items-center gap-2 text-sm">
      Не удалось загрузить файл
      <Button size="sm" onClick={onRetry}>
        Повторить
      </Button>
    </span>
  );
}

const lengthOf = (seconds: number): string => {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
};

function Reading({ media: { kind, state, sure, confidence, note } }: { media: MessageMedia }) {
  const said =
    state === "waiting"
      ? "Распознаём..."
      : confidence === null
        ? (note ?? "Не распознано")
        : sure
          ? `Распознано, уверенность ${formatShare(confidence)}`
          : `Распознано неуверенно (${formatShare(confidence)}): проверьте по ${kind === "speech" ? "записи" : "картинке"}`;
  const doubtful = state !== "waiting" && !sure;
  return <span className={clsx("text-sm", doubtful ? "text-warning-text" : "text-muted")}>{said}</span>;
}
