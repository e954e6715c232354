// A file of its own, because the bell of every screen needs the figure and not the schemas.

export const APPROVALS_LIMIT = 100;
