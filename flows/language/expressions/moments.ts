// Instants and durations as ISO 8601 texts. JSON has no dates, so expressions work with the texts.
import { durationMs } from '../duration.ts';

const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Milliseconds since 1970; null if the text is not an instant with an offset. */
export function instantMs(text: unknown): number | null {
  if (typeof text !== 'string' || !instantPattern.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

export const instantText = (ms: number): string => new Date(ms).toISOString();

export function moment(text: unknown): number {
  const at = instantMs(text);
  if (at === null)
    throw new TypeError(
      `${JSON.stringify(text)} is not an instant; expected one like "2026-11-21T12:00:00Z"`,
    );
  return at;
}

function duration(text: unknown): number {
  const length = durationMs(text);
  if (length === null) {
    const months =
      typeof text === 'string' && /^P\d+[YM]/.test(text) ? '; dateLater takes months and years' : '';
    throw new TypeError(
      `${JSON.stringify(text)} is not a duration; expected one like "P2D" or "PT30M"${months}`,
    );
  }
  return length;
}

/** The functions that we add to those of CEL, by their signature. */
export const momentFunctions: Readonly<Record<string, (...args: never[]) => unknown>> = {
  'later(string, string): string': (at: string, by: string) => instantText(moment(at) + duration(by)),
  'earlier(string, string): string': (at: string, by: string) => instantText(moment(at) - duration(by)),
  'isBefore(string, string): bool': (one: string, other: string) => moment(one) < moment(other),
  'secondsBetween(string, string): double': (from: string, to: string) => (moment(to) - moment(from)) / 1_000,
};
