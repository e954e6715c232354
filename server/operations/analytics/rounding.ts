export const percent = (share: number): number => roundTo(share * 100, 1);

export const roundTo = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;
