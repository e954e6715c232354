import { clsx } from "clsx";
import { CENTRE, LINK_END, LINK_OFFSET, LINK_START } from "./map-geometry.ts";

interface MapLinkProps {
  /** Degrees, clockwise from the right. */
  angle: number;
  active: boolean;
  dimmed: boolean;
}

/** Two hairlines: copper outwards, patina inwards. On the active link a mark moves along each. */
export function MapLink({ angle, active, dimmed }: MapLinkProps) {
  return (
    <g
      transform={`rotate(${angle} ${CENTRE} ${CENTRE}) translate(${CENTRE} ${CENTRE})`}
      className={clsx("transition-opacity duration-(--dur-2)", dimmed && "opacity-25")}
    >
      <line
        x1={LINK_START}
        y1={-LINK_OFFSET}
        x2={LINK_END}
        y2={-LINK_OFFSET}
        strokeWidth="1.75"
        strokeLinecap="round"
        className="stroke-echo"
      />
      <line
        x1={LINK_START}
        y1={LINK_OFFSET}
        x2={LINK_END}
        y2={LINK_OFFSET}
        strokeWidth="1.75"
        strokeLinecap="round"
        className="stroke-primary"
      />
      {active && (
        <>
          <circle
            cx={LINK_START}
            cy={-LINK_OFFSET}
            r="3.5"
            className="animate-link-out fill-echo motion-reduce:hidden"
          />
          <circle
            cx={LINK_END}
            cy={LINK_OFFSET}
            r="3.5"
            className="animate-link-back fill-primary motion-reduce:hidden"
          />
        </>
      )}
    </g>
  );
}
