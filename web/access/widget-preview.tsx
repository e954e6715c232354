import { readableTextColor } from "#web/ui/readable-text-color.ts";

interface WidgetPreviewProps {
  title: string;
  greeting: string;
  /** Colour as #rrggbb. */
  color: string;
  publicName: string;
}

/** A live preview of the chat widget, without interaction. */
export function WidgetPreview({ title, greeting, color, publicName }: WidgetPreviewProps) {
  const accent = { backgroundColor: color, color: readableTextColor(color) };
  return (
    <figure aria-label="Так выглядит чат" className="min-w-0">
      <div className="flex h-96 flex-col overflow-hidden rounded-lg border bg-surface text-md">
        <p className="px-4 py-3 font-semibold [overflow-wrap:anywhere]" style={accent}>
          {title || "Чат"}
        </p>
        <p className="border-b bg-sunken px-4 py-2 text-muted text-sm">
          Отвечает ИИ-помощник: цифровой двойник «{publicName}».
        </p>
        <div className="flex min-h-0 flex-1 flex-col items-start gap-2.5 overflow-hidden p-4">
          {greeting.trim() !== "" && (
            <p className="max-w-[85%] whitespace-pre-line rounded-lg bg-sunken px-3 py-2 [overflow-wrap:anywhere]">
              {greeting}
            </p>
          )}
          <p className="max-w-[85%] self-end rounded-lg px-3 py-2" style={accent}>
            Сколько стоит доставка?
          </p>
        </div>
        <p aria-hidden className="m-3 rounded-md border border-control px-3 py-2 text-subtle">
          Сообщение
        </p>
      </div>
      <figcaption className="mt-2 text-sm text-subtle">Так выглядит чат на вашем сайте</figcaption>
    </figure>
  );
}
