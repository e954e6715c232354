export function KeysLine({ approving, onAll }: { approving: boolean; onAll: () => void }) {
  return (
    <p className="border-t px-4 py-1.5 text-muted text-sm max-lg:hidden">
      {approving ? (
        <>
          <kbd>J</kbd> и&nbsp;<kbd>K</kbd> ведут по&nbsp;ответам, на&nbsp;выбранном <kbd>A</kbd> отправляет,{" "}
          <kbd>E</kbd> правит, <kbd>R</kbd> отклоняет
        </>
      ) : (
        <>
          <kbd>J</kbd> и&nbsp;<kbd>K</kbd> ведут по&nbsp;списку, <kbd>Enter</kbd> открывает, <kbd>Esc</kbd> возвращает,{" "}
          <kbd>/</kbd> ищет, <kbd>X</kbd> выбирает, <kbd>H</kbd> откладывает, <kbd>L</kbd> ставит метку
        </>
      )}
      {", "}
      <button type="button" className="rounded-sm underline underline-offset-2 hover:text-fg" onClick={onAll}>
        все клавиши
      </button>{" "}
      <kbd>?</kbd>
    </p>
  );
}
