// Times on the wire: ISO 8601; without an offset they are UTC (assumptions: The wire).

const hasOffset = /(?:z|[+-]\d\d:?\d\d)$/i;

/** A moment that the contract has accepted: any of the years 0 to 9999. */
export function momentOf(text: string): Date {
  const moment = new Date(hasOffset.test(text) ? text : `${text}Z`);
  if (Number.isNaN(moment.getTime())) throw new TypeError(`${text} is not a moment, although it was checked`);
  return moment;
}

export const withoutOffset = (moment: Date): string => moment.toISOString().slice(0, -1);
