// What happened in a process, for who may not act on processes: that a question was answered, by whom and why, but not what was
// answered, which is data of the process.

import { formatUpdate } from '../../processes/views/format-update.ts';
import type { TimelineEntry } from '../../processes/views/timeline.ts';
import { happenedOf } from './glance/happened.ts';
import type { Names } from './glance/readable.ts';
import type { HappenedTimeline, ProcessSteps, Timeline } from './process-view.ts';

/** An entry of the timeline, or a step. */
interface HistoryEntry extends Pick<TimelineEntry, 'what' | 'onBehalfOf'> {
  readonly data: TimelineEntry['data'] | null;
}

export function withoutAnswer<Each extends HistoryEntry>(each: Each): Each {
  const { data, onBehalfOf } = each;
  if (data?.type !== 'updated' || data.values === null) return each;
  const what = formatUpdate(data.name, { ...data.fields, onBehalfOf });
  return { ...each, what, data: { ...data, values: null } };
}

export async function stepsWithoutAnswers(
  answer: ProcessSteps,
  { entries }: Pick<Timeline, 'entries'>,
  names: Names,
): Promise<ProcessSteps> {
  if (answer.steps === null) return answer;
  const steps = answer.steps.map(withoutAnswer);
  const happened = await happenedOf({ entries: entries.map(withoutAnswer) }, steps, names);
  return { ...answer, steps, happened };
}

/** @param all the timeline, with the answers only for who may read them */
export async function happenedTimeline(
  all: Timeline,
  names: Names,
  mayReadAnswers: boolean,
): Promise<HappenedTimeline> {
  const entries = mayReadAnswers ? all.entries : all.entries.map(withoutAnswer);
  return { ...all, entries, happened: await happenedOf({ entries }, null, names) };
}
