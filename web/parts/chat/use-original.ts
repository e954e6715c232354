import { useEffect, useState } from "react";
import { mediaApi } from "#contract/media.ts";
import { send } from "#web/api/call.ts";

interface FetchedOriginal {
  /** Valid while the component is mounted; null until loaded. */
  url: string | null;
  failed: boolean;
  retry: () => void;
}

/** Loads an original with the session and shows it from memory, because no public URL exists for an `<img>` or `<audio>` tag. */
export function useOriginal(id: string, wanted: boolean): FetchedOriginal {
  const [url, setUrl] = useState<string | null>(null);
  const [failed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try begins anew
  useEffect(() => {
    if (!wanted) return;
    let made: string | null = null;
    let left = false;
    setFailed(false);
    send(mediaApi.original, { params: { id } })
      .then((response) => response.blob())
      .then(
        (blob) => {
          if (left) return;
          made = URL.createObjectURL(blob);
          setUrl(made);
        },
        () => !left && setFailed(true),
      );
    return () => {
      left = true;
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [id, wanted, tries]);
  return { url, failed, retry: () => setTries((count) => count + 1) };
}
