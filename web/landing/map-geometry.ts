// Geometry of the map in units of its viewBox.
export const VIEW = 560;
export const CENTRE = 280;
export const RING_RADIUS = 196;
export const LINK_OFFSET = 4;
/** Distance from the centre at which a link starts, clear of the disc. */
export const LINK_START = 86;
/** Distance from the centre at which a link ends, clear of a 44 px node on the smallest screen. */
export const LINK_END = 146;

export const AGENT_FORMS = ["агент", "агента", "агентов"] as const;
export const CONNECTION_FORMS = ["связь", "связи", "связей"] as const;

/** Angle in degrees: the first agent is at the top, the others follow clockwise. */
export const linkAngle = (index: number) => -90 + 60 * index;
