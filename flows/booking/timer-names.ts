// How the timers of a booking's deadlines are named: Temporal keeps of a timer only its name, so whoever reads a history reads them
// again.
import type { Role, Stage } from '../../contract/flows/flow-input.ts';
import { minute } from '../language/waiting-for.ts';

/** A timer of a leg. */
export interface LegTimer {
  readonly role: Role;
  readonly stage: Stage;
  readonly isReminder: boolean;
}

const stageNames: Readonly<Record<Stage, string>> = {
  dropOff: 'drop off',
  receiver: 'receiver',
  pickUp: 'pick up',
};

const REMINDER = 'reminder of ';

/** @param until epoch milliseconds */
export const timerName = ({ role, stage, isReminder }: LegTimer, until: number): string =>
  `${isReminder ? REMINDER : ''}${role}: ${stageNames[stage]} until ${minute(until)}`;

/** Null: it is not one of them. */
export function timerNamed(name: string, roles: readonly Role[]): LegTimer | null {
  const isReminder = name.startsWith(REMINDER);
  const rest = isReminder ? name.slice(REMINDER.length) : name;
  for (const role of roles)
    for (const [stage, words] of Object.entries(stageNames))
      if (rest.startsWith(`${role}: ${words} until `)) return { role, stage: stage as Stage, isReminder };
  return null;
}
