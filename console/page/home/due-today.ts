// What Home counts under Today: the questions of today are among those that are counted above.
import type { WorkView } from '../../processes/processes-view.ts';

export const dueToday = ({ entries }: Pick<WorkView, 'entries'>) =>
  entries.filter(({ group, kind }) => group === 'today' && kind !== 'question');
