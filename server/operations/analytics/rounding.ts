export const percent = (share: number): number => rounded(share * 100, 1);

export const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;
