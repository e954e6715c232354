import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./button.tsx";
import { toast } from "./toasts/toast.ts";

const COPIED_MS = 2000;

interface CopyButtonProps {
  text: string;
  what?: string;
  /** Whether only the icon is shown, with the label in the tooltip. */
  bare?: boolean;
}

export function CopyButton({ text, what, bare = false }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      toast({ title: "Не удалось скопировать", description: "Выделите текст вручную", variant: "destructive" });
    }
  }

  const word = copied ? "Скопировано" : "Копировать";
  return (
    <Button
      variant="ghost"
      size="sm"
      className="px-2! text-muted!"
      title={bare ? word : undefined}
      aria-label={what === undefined ? undefined : `${word}: ${what}`}
      onClick={() => void copy()}
    >
      {copied ? <Check aria-hidden className="icon" /> : <Copy aria-hidden className="icon" />}
      <span className={bare ? "sr-only" : undefined}>{word}</span>
    </Button>
  );
}
