import type { ReactNode } from "react";
import { Dialog, DialogContent } from "#web/ui/overlays/dialog.tsx";

const groups: readonly (readonly [
  title: string,
  keys: readonly (readonly [keys: readonly string[], does: ReactNode])[],
])[] = [
  [
    "Список",
    [
      [["/"], "поиск"],
      [["J", "K"], "вниз и вверх"],
      [["Enter"], "открыть"],
      [["Esc"], "назад к списку, снять выбор"],
      [["X"], "выбрать; с Shift — всё до прошлого выбранного"],
      [["H"], "отложить"],
      [["L"], "метки"],
    ],
  ],
  [
    "Черновики",
    [
      [["D"], "к черновику открытого диалога"],
      [["J", "N"], "к следующему"],
      [["K"], "к предыдущему"],
      [["A"], "отправить"],
      [["E"], "изменить"],
      [["R"], "отклонить"],
      [["1", "3"], "вставить прежний ответ"],
    ],
  ],
  [
    "Поле ответа",
    [
      [["/"], "в начале строки — заготовки"],
      [["Alt+1", "Alt+3"], "вставить прежний ответ"],
      [["Enter"], "отправить"],
      [["Shift+Enter"], "новая строка"],
    ],
  ],
  [
    "Везде",
    [
      [["Ctrl+K"], "поиск и команды"],
      [["?"], "эта подсказка"],
    ],
  ],
];

export default function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title="Клавиши" description="Буквы — на любой раскладке. В полях ввода они просто печатаются.">
        <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
          {groups.map(([title, keys]) => (
            <section key={title} aria-label={title}>
              <h3 className="mb-2 text-base">{title}</h3>
              <dl className="flex flex-col gap-1.5 text-md">
                {keys.map(([names, does]) => (
                  <div key={names.join()} className="flex gap-3">
                    <dt className="w-28 shrink-0">
                      {names.map((name, place) => (
                        <span key={name}>
                          {place > 0 && (/\d$/.test(name) ? "–" : " ")}
                          <kbd className="rounded-sm border bg-sunken px-1.5 font-sans text-sm">{name}</kbd>
                        </span>
                      ))}
                    </dt>
                    <dd className="min-w-0 text-muted">{does}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </DialogContent>
    </Dialog>
  );
}
