/** Why a model could not be downloaded. The sentences are for whoever asked for it; none quotes the hub. */

export type HubProblem =
  | "unreachable"
  | "refused"
  | "not-found"
  | "no-checksum"
  | "elsewhere"
  | "odd"
  | "line"
  | "changed"
  | "damaged"
  | "no-space"
  | "too-big";

/** Problems after which the arrived bytes are kept and a later try continues; after any other it starts again. */
export const KEPT: ReadonlySet<string> = new Set<HubProblem>(["unreachable", "refused", "line"]);

/** A mirror, a proxy and other hosts are settings of the server; the screen says under its catalogue how they are set. */
export const HUB_SENTENCES: Record<HubProblem, string> = {
  unreachable:
    "Сайт с моделями не отвечает. Проверьте интернет и продолжите; если сайт у вас закрыт, скачивайте с зеркала",
  refused: "Сайт с моделями отказал в скачивании. Продолжите позже или скачивайте с зеркала",
  "not-found": "На сайте с моделями нет файла этой модели. Попробуйте другое зеркало или загрузите файл сами",
  "no-checksum":
    "Сайт с моделями не назвал контрольную сумму файла, поэтому проверить его нельзя. Попробуйте другое зеркало",
  elsewhere:
    "Сайт с моделями отправляет за файлом на незнакомый сервер. Скачивание остановлено: попробуйте другое зеркало",
  odd: "Вместо списка файлов пришло что-то другое: по этому адресу не сайт с моделями. Проверьте адрес зеркала",
  line: "Связь с сайтом моделей обрывается. Скачанное сохранено: продолжите, когда связь наладится",
  changed: "Файл на сайте сменился, пока скачивался. Скачайте его снова",
  damaged: "Файл дважды пришёл повреждённым: контрольная сумма не сходится. Он удалён, попробуйте другое зеркало",
  "no-space": "На диске сервера не хватает места для модели, скачанное удалено. Освободите место и скачайте её снова",
  "too-big": "Файл на сайте намного больше, чем указано в каталоге. Скачивание остановлено",
};

export class HubFailure extends Error {
  override name = "HubFailure";
  readonly problem: HubProblem;

  constructor(problem: HubProblem, options: ErrorOptions = {}) {
    super(`The hub: ${problem}`, options);
    this.problem = problem;
  }

  /** Whether the download is retried automatically: the connection failed, not the file. */
  get passes(): boolean {
    return this.problem === "line" || this.problem === "unreachable";
  }
}
