// The updates `message` and `sendMechanic`, which every process takes while it is open: what people send outside about it. They take
// no step of the chart. The history has what was sent; another workflow delivers it, which outlives the process.
import { LONGEST_MESSAGE, type OutreachKind } from '../contract/flows/outreach.ts';
import { ended, type Rejection } from './commands.ts';
import { LONGEST_NAME, textProblem } from './note.ts';

/** Code of the refusal of what cannot be sent. */
const INVALID_OUTREACH = 'InvalidRequest';

interface Field {
  readonly longest: number;
  readonly isOptional?: true;
}

const attribution = {
  by: { longest: LONGEST_NAME },
  onBehalfOf: { longest: LONGEST_NAME, isOptional: true },
} as const;

const fields: Readonly<Record<OutreachKind, Readonly<Record<string, Field>>>> = {
  message: { to: { longest: LONGEST_NAME }, text: { longest: LONGEST_MESSAGE }, ...attribution },
  sendMechanic: {
    pupUid: { longest: LONGEST_NAME },
    lockerName: { longest: LONGEST_NAME, isOptional: true },
    problem: { longest: LONGEST_MESSAGE },
    ...attribution,
  },
};

export const outreachUpdates: Readonly<Record<OutreachKind, string>> = {
  message: 'Sends a message to the person whom the process is for: to, text, by, onBehalfOf, why',
  sendMechanic: 'Asks for a mechanic at a door: pupUid, lockerName, problem, by, onBehalfOf, why',
};

export function outreachProblem(
  kind: OutreachKind,
  isOpen: boolean,
  payload: unknown,
): Rejection | undefined {
  if (!isOpen) return ended;
  const values = mapOf(payload);
  for (const [name, { longest, isOptional }] of Object.entries(fields[kind])) {
    if (isOptional && values[name] === undefined) continue;
    const message = textProblem(name, values[name], longest);
    if (message !== undefined) return { code: INVALID_OUTREACH, message };
  }
  return undefined;
}

/** @param payload has no problem */
export function outreachFieldsIn(kind: OutreachKind, payload: unknown): Readonly<Record<string, string>> {
  const values = mapOf(payload);
  return Object.fromEntries(
    [...Object.keys(fields[kind]), 'why'].flatMap((name): [string, string][] => {
      const value = values[name];
      return typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [];
    }),
  );
}

/** What the workflow that delivers it is given of it. */
export interface OutreachFields {
  readonly kind: OutreachKind;
  readonly fields: Readonly<Record<string, string>>;
}

const mapOf = (payload: unknown): Readonly<Record<string, unknown>> =>
  (typeof payload === 'object' && payload !== null ? payload : {}) as Readonly<Record<string, unknown>>;
