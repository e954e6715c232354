import { encode } from "uqr";

/** A QR code, dark on light in both themes, because cameras cannot read the inverse. It is drawn locally, without a third party. */
export default function QrCode({ text, label, className = "size-56" }: QrCodeProps) {
  const { size, data } = encode(text, { ecc: "L", border: 3 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={`shrink-0 rounded-md border ${className}`}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

interface QrCodeProps {
  text: string;
  /** Accessible name: the link's target or the content. */
  label: string;
  className?: string;
}
