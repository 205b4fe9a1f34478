// The functions of expressions that count time without a calendar.
import { duration, instantText, moment } from '../duration.ts';
import type { OwnFunctions } from './literals.ts';

export const momentFunctions: OwnFunctions = {
  'later(string, string): string': {
    run: (at: string, by: string) => instantText(moment(at) + duration(by)),
    reads: [moment, duration],
  },
  'earlier(string, string): string': {
    run: (at: string, by: string) => instantText(moment(at) - duration(by)),
    reads: [moment, duration],
  },
  'isBefore(string, string): bool': {
    run: (one: string, other: string) => moment(one) < moment(other),
    reads: [moment, moment],
  },
  'secondsBetween(string, string): double': {
    run: (from: string, to: string) => (moment(to) - moment(from)) / 1_000,
    reads: [moment, moment],
  },
};
