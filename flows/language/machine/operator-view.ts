// What Temporal's Web UI shows of a process of a flow file, and the search attributes by which its lists find it.
import type { AnyMachineSnapshot } from 'xstate';
import { formatStateValue } from '../../../engine/chart/messages.ts';
import type { PendingNow, PendingWork, SearchAttributes } from '../../../engine/definition/views.ts';
import { activeNodes } from '../../../engine/stepper.ts';
import { shownAsText } from '../../../shared/markdown/shown-as-text.ts';
import type { Published } from '../registry.ts';
import type { OpenQuestion } from './asked-question.ts';
import { formatDropped, formatMisfit } from './incoming.ts';
import { phaseOf, progressOf, type RuntimeState } from './progress.ts';

export function detailsOf(
  published: Published,
  snapshot: AnyMachineSnapshot,
  runtime: RuntimeState,
  pending?: PendingWork,
): string {
  const {
    flow,
    version,
    state,
    waitingFor: waits,
    tags,
    keys,
    undoable = [],
  } = progressOf(published, snapshot, runtime, pending);
  const place = `${formatStateValue(state)}${tags.length > 0 ? ` (${tags.join(', ')})` : ''}`;
  return [
    `**${shownAsText(flow)}@${version}: ${shownAsText(place.replaceAll('`', ''))}**`,
    '',
    ...descriptionsOf(snapshot),
    ...waits.map(({ words }) => `- ${shownAsText(words.replaceAll('`', ''))}`),
    ...(undoable.length > 0 ? [`- can be undone: ${undoable.map(shownAsText).join(', ')}`] : []),
    // Their values may be personal.
    ...(keys && Object.keys(keys).length > 0
      ? [`- found by its ${Object.keys(keys).map(shownAsText).join(', ')}`]
      : []),
    ...(runtime.putAside.dropped > 0 ? [`- ${formatDropped(runtime.putAside.dropped)}`] : []),
    ...runtime.putAside.misfits.map((each) => `- ${shownAsText(formatMisfit(each).replaceAll('`', ''))}`),
  ].join('\n');
}

/** What the file says of its active states. */
const descriptionsOf = (snapshot: AnyMachineSnapshot): string[] =>
  activeNodes(snapshot).flatMap(({ description }) => (description ? [shownAsText(description), ''] : []));

/** @param subjects where there are none, those that whoever started it has given stay */
export function attributesOf(
  questions: readonly OpenQuestion[],
  subjects: readonly string[],
  snapshot: AnyMachineSnapshot,
  pending?: PendingNow,
): SearchAttributes {
  const inboxes = [...new Set(questions.map(({ of }) => of))].sort();
  return {
    LockerPhase: phaseOf(pending?.halted, snapshot),
    LockerInbox: inboxes,
    ...(subjects.length > 0 && { LockerSubjects: subjects }),
  };
}
