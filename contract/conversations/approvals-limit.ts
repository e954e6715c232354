// A separate file, because every screen's notification bell needs the limit without the schemas.

export const APPROVALS_LIMIT = 100;
