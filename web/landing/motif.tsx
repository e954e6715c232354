/** The mark behind the talk, larger than it: its box only says where the centre is, the circles go beyond. Takes no part in the layout. */
export function Motif() {
  return (
    <svg
      aria-hidden
      viewBox="0 0 512 640"
      fill="none"
      overflow="visible"
      className="pointer-events-none absolute inset-0 hidden size-full xl:block"
    >
      <circle cx="272" cy="320" r="344" stroke="var(--echo)" strokeWidth="1.75" />
      <circle cx="324" cy="320" r="344" className="fill-(--disc)" />
    </svg>
  );
}
