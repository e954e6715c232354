import { CopyButton } from "#web/ui/copy-button.tsx";
import { Step } from "./step.tsx";

const COMMANDS = [
  "pip install -r requirements.txt",
  "python train_voice.py --talks .. --base model.gguf --out voice.gguf",
];

export function TrainingStep({ baseName }: { baseName: string | null }) {
  return (
    <Step
      number={2}
      title="Обучите почерк"
      description="Отдайте архив знакомому специалисту: через десятки минут он вернёт файл почерка"
    >
      <details>
        <summary className="w-fit rounded-sm font-medium text-primary-text">Что понадобится и&nbsp;команды</summary>
        <ul className="mt-3 flex max-w-measure list-disc flex-col gap-1.5 ps-5 text-muted">
          <li>
            Компьютер с&nbsp;видеокартой от&nbsp;8&nbsp;ГБ, свой или в&nbsp;облаке, и&nbsp;командная строка. Программа
            и&nbsp;инструкция лежат в&nbsp;архиве, получится файл <code className="font-mono text-sm">voice.gguf</code>.
          </li>
          <li>
            Файл модели{baseName === null ? ", той же, что отвечает здесь" : ` ${baseName}`}, например тот же GGUF:
            в&nbsp;командах он назван model.gguf. Почерк, обученный для&nbsp;другой модели, не&nbsp;подойдёт.
          </li>
          <li>Python 3.12 или новее. Распакуйте архив и&nbsp;запустите команды в&nbsp;его папке train-voice.</li>
          <li>Без видеокарты обучение идёт часы, и&nbsp;только с&nbsp;небольшой моделью.</li>
        </ul>
        <div className="mt-3 flex flex-col gap-2">
          {COMMANDS.map((command) => (
            <div key={command} className="flex items-center gap-2 rounded-md bg-sunken py-1 ps-3 pe-1">
              <code className="min-w-0 flex-1 font-mono text-sm [overflow-wrap:anywhere]">{command}</code>
              <CopyButton text={command} what={command} />
            </div>
          ))}
        </div>
      </details>
    </Step>
  );
}
