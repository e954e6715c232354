import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "#web/ui/button.tsx";
import { ScrollRegion } from "#web/ui/layout/scroll-region.tsx";
import { toast } from "#web/ui/toasts/toast.ts";

interface CopyBlockProps {
  label: string;
  text: string;
}

export function CopyBlock({ label, text }: CopyBlockProps) {
  const [copied, setCopied] = useState(false);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      toast({
        title: "Не удалось скопировать",
        description: "Выделите текст и скопируйте его сами",
        variant: "destructive",
      });
    }
  }

  return (
    <div className="flex min-w-0 items-start gap-2 rounded-md border bg-sunken p-2 ps-3">
      <ScrollRegion aria-label={label} className="min-w-0 flex-1 py-1.5">
        <code className="whitespace-pre-wrap font-mono text-sm [overflow-wrap:anywhere]">{text}</code>
      </ScrollRegion>
      <Button size="sm" onClick={() => void copy()} aria-label={`Скопировать: ${label}`}>
        {copied ? <Check aria-hidden className="icon" /> : <Copy aria-hidden className="icon" />}
        <span className="max-sm:sr-only">{copied ? "Скопировано" : "Скопировать"}</span>
      </Button>
      <span role="status" className="sr-only">
        {copied ? `${label}: скопировано` : ""}
      </span>
    </div>
  );
}
