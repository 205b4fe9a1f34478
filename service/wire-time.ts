// A moment as the wire writes it: ISO 8601 without offset, meaning UTC (assumptions: The wire).

export const withoutOffset = (moment: Date): string => moment.toISOString().slice(0, -1);
