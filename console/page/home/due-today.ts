// What Home shows of Work, and what it counts under Today: the questions of today are among those that are counted above.
import type { WorkView } from '../../processes/processes-view.ts';

/** What somebody has snoozed stands in Work alone. */
export const awake = ({ entries }: Pick<WorkView, 'entries'>) =>
  entries.filter(({ group }) => group !== 'snoozed');

export const dueToday = ({ entries }: Pick<WorkView, 'entries'>) =>
  entries.filter(({ group, kind }) => group === 'today' && kind !== 'question');
