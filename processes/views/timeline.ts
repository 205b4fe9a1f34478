// The events of a process in the order of its history, as data, and their cost. No inputs and no results: they may be of persons.

import { z } from 'zod';
import { nameOfActor } from '../../contract/flows/attribution.ts';
import { yieldToEventLoop } from '../../shared/limits/yield-to-event-loop.ts';
import { EventsPutAside } from './events-put-aside.ts';
import { formatWho } from './format-names.ts';
import { isoTime } from './found-flows.ts';
import type { Attributes, Decode, HistoryEvent } from './history-event.ts';
import { type EventContext, readEvent } from './read-event.ts';
import { callIn } from './scheduled-call.ts';
import { type CallData, timelineData } from './timeline-data.ts';

export const timelineEntry = z.object({
  at: z.string().nullable(),
  data: timelineData.meta({ description: 'What happened, as data' }),
  by: z.string().nullable().meta({ description: 'Who made it happen; null: nobody has said' }),
  onBehalfOf: z.string().nullable().meta({ description: 'The person for whom a program said that it acts' }),
  why: z.string().nullable(),
  runId: z.string(),
  eventId: z.string().meta({ description: 'Of the event in the history of its run' }),
});
export type TimelineEntry = Readonly<z.infer<typeof timelineEntry>>;

/** Actions as Temporal Cloud counts them, without queries and heartbeats: these are not in a history. */
const cost = z.object({
  events: z.int(),
  actions: z.int().meta({ description: 'Temporal’s billable actions' }),
});
export type Cost = Readonly<z.infer<typeof cost>>;

export const timeline = z.object({
  entries: z.array(timelineEntry).meta({ description: 'What happened, the oldest first' }),
  cost,
  runs: z.int().meta({ description: 'More than one if it continued as new' }),
});
type Timeline = Readonly<z.infer<typeof timeline>>;

export async function timelineOf(
  runs: readonly (readonly HistoryEvent[])[],
  decode: Decode,
  roleOf: EventContext['roleOf'],
): Promise<Timeline> {
  const entries: TimelineEntry[] = [];
  const of: OfProcess = {
    decode,
    roleOf,
    children: new Map(),
    bookedRoles: new Map(),
    eventIds: new Set<string>(),
  };
  for (const events of runs) entries.push(...(await entriesOf(events, of)));
  return { entries, cost: costOf(runs.flat()), runs: runs.length };
}

/** The same for all its runs. */
type OfProcess = Pick<EventContext, 'decode' | 'roleOf' | 'children' | 'bookedRoles' | 'eventIds'>;

const costOf = (events: readonly HistoryEvent[]): Cost => ({
  events: events.length,
  actions: events.reduce((sum, event) => sum + actionsOf(event), 0),
});

/** As people read it; null: nobody has said. */
export const nameIn = ({ by, onBehalfOf }: Pick<TimelineEntry, 'by' | 'onBehalfOf'>): string | null =>
  by === null ? null : formatWho({ by: nameOfActor(by), onBehalfOf });

/** Those that tell a person something, of one run. */
async function entriesOf(events: readonly HistoryEvent[], of: OfProcess): Promise<TimelineEntry[]> {
  const { decode } = of;
  const all: TimelineEntry[] = [];
  const names = new Map<string, string>();
  const calls = new Map<string, CallData>();
  const answers = new Map(events.flatMap(answerIn));
  const putAside = await EventsPutAside.ofRun(events, decode);
  const yieldNow = yieldToEventLoop();
  const runId = events[0]?.workflowExecutionStartedEventAttributes?.originalExecutionRunId ?? '';
  for (const event of events) {
    await yieldNow();
    const summary = await decode(event.userMetadata?.summary);
    const id = String(event.eventId ?? '');
    if (typeof summary === 'string') names.set(id, summary);
    const { activityTaskScheduledEventAttributes: scheduled } = event;
    if (scheduled) calls.set(id, await callIn(scheduled, names.get(id), decode));
    const at = isoTime(event.eventTime);
    await putAside.read(event);
    const said = await readEvent(event, { ...of, id, at, names, calls, answers, putAside });
    for (const { data, who } of [said ?? []].flat())
      all.push({
        at,
        data,
        by: who?.by ?? null,
        onBehalfOf: who?.onBehalfOf ?? null,
        why: who?.why ?? null,
        runId,
        eventId: id,
      });
  }
  return all;
}

function answerIn({ workflowExecutionUpdateCompletedEventAttributes: completed }: HistoryEvent) {
  const [answer] = completed?.outcome?.success?.payloads ?? [];
  return answer ? [[String(completed?.acceptedEventId), answer] as const] : [];
}

/** https://docs.temporal.io/cloud/actions: what starts, schedules, signals, updates or upserts; each try of an activity. */
function actionsOf(event: HistoryEvent): number {
  const { activityTaskStartedEventAttributes: attempt } = event;
  if (attempt) return attempt.attempt ?? 1;
  return billed.some((attributes) => event[attributes]) ? 1 : 0;
}

const billed: readonly Attributes[] = [
  'workflowExecutionStartedEventAttributes',
  'timerStartedEventAttributes',
  'workflowExecutionSignaledEventAttributes',
  'workflowExecutionUpdateAcceptedEventAttributes',
  'upsertWorkflowSearchAttributesEventAttributes',
];
