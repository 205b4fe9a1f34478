// How the timers of a booking's deadlines are named: Temporal keeps of a timer only its name, so whoever reads a history reads them
// again.
import { type Role, roles, type Stage, stages } from '../../contract/flows/flow-input.ts';
import { minute } from '../language/waiting-for.ts';

/** A timer of a leg. */
export interface LegTimer {
  readonly role: Role;
  readonly stage: Stage;
  readonly isReminder: boolean;
}

export const stageNames: Readonly<Record<Stage, string>> = {
  dropOff: 'drop off',
  receiver: 'receiver',
  pickUp: 'pick up',
};

/** @param until epoch milliseconds */
export const timerName = (timer: LegTimer, until: number): string => `${beginningOf(timer)}${minute(until)}`;

/** Null: it is another one's. */
export const timerNamed = (name: string): LegTimer | null =>
  legTimers.find(({ begins }) => name.startsWith(begins))?.timer ?? null;

const beginningOf = ({ role, stage, isReminder }: LegTimer): string =>
  `${isReminder ? 'reminder of ' : ''}${role}: ${stageNames[stage]} until `;

const legTimers = roles.flatMap((role) =>
  stages.flatMap((stage) =>
    [false, true].map((isReminder) => {
      const timer = { role, stage, isReminder };
      return { timer, begins: beginningOf(timer) };
    }),
  ),
);
