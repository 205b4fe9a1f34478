// A moment as the wire writes it: ISO 8601 without offset, meaning UTC (decisions §6).

export const withoutOffset = (moment: Date): string => moment.toISOString().slice(0, -1);
