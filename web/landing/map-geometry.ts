// The map's drawing in units of its viewBox.
export const VIEW = 560;
export const CENTRE = 280;
export const RING_RADIUS = 196;
/** Half the distance between the two lines of a link. */
export const LINK_OFFSET = 4;
/** Where a link starts and ends, from the centre: clear of the disc and of a node of 44 px on the smallest screen. */
export const LINK_START = 86;
export const LINK_END = 146;

export const AGENT_FORMS = ["агент", "агента", "агентов"] as const;
export const CONNECTION_FORMS = ["связь", "связи", "связей"] as const;

/** Degrees: the first agent stands at the top, the others follow clockwise. */
export const linkAngle = (index: number) => -90 + 60 * index;
