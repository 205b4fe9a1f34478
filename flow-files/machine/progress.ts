// What people see of a process of a flow file: the answer to `progress`, the details in the Web UI, the search attributes.
// What a file calls its context may be personal, and is told only to those who ask for it.
import type { AnyMachineSnapshot } from 'xstate';
import { wordsOf } from '../../driver/defaults.ts';
import type { Awaited, Halt, SearchAttributes } from '../../driver/definition.ts';
import { activeNodes, takes } from '../../driver/xstate-internals.ts';
import type { Json } from '../flow-file.ts';
import type { Published } from '../registry.ts';
import { listenedFor } from './heard.ts';
import { droppedWords, isOfChild } from './incoming.ts';
import type { OpenQuestion } from './questions.ts';

/** The answer to the query `progress`. */
export interface FlowFileProgress {
  readonly flow: string;
  /** 0 as long as the process has no definition yet. */
  readonly version: number;
  readonly phase: 'Open' | 'NeedsPerson';
  readonly activity: 'Running' | 'NeedsPerson' | 'Ended';
  /** In words; the most urgent first. */
  readonly awaits: readonly string[];
  /** As xstate tells it. */
  readonly state: unknown;
  readonly tags: readonly string[];
  /** Those that the present state takes from outside. */
  readonly events: readonly string[];
  /** Those that it takes from the flows that the process has started, and from nobody else. */
  readonly childEvents: readonly string[];
  /** Messages that were no events: without a type, or in the name of a flow that had not sent them. */
  readonly dropped: number;
  readonly timers: Awaited['timers'];
  readonly questions: readonly OpenQuestion[];
  /** The step that cannot be taken, if there is one. */
  readonly held: Halt | null;
  /** Only where the query asks for it: `{ "context": true }`. */
  readonly context?: Json;
  readonly output?: unknown;
}

/** The progress of a process that does not have its definition yet. */
export const notBegun = (flow: string): FlowFileProgress => ({
  ...{ flow, version: 0, phase: 'Open', activity: 'Running', awaits: ['the definition of its flow'] },
  ...{
    state: null,
    tags: [],
    events: [],
    childEvents: [],
    dropped: 0,
    timers: [],
    questions: [],
    held: null,
  },
});

/** What the machine does not know of its process. */
interface Beside {
  readonly questions: readonly OpenQuestion[];
  readonly dropped: number;
}

export function progressOf(
  { file, version }: Published,
  snapshot: AnyMachineSnapshot,
  { questions, dropped }: Beside,
  awaited: Awaited = { timers: [], calls: [] },
  asked: { readonly context?: boolean } = {},
): FlowFileProgress {
  const { status, value, tags, output, context } = snapshot;
  const isOpen = status === 'active';
  const { halted: held = null, timers, calls } = awaited;
  const open = isOpen ? questions : [];
  const taken = isOpen ? listenedFor(file).filter((type) => takes(snapshot, type)) : [];
  const isChilds = isOfChild(file);
  const events = taken.filter((type) => !isChilds(type));
  return {
    ...{ flow: file.name, version },
    phase: held ? 'NeedsPerson' : 'Open',
    activity: isOpen ? activityOf(held) : 'Ended',
    awaits: isOpen ? awaitsOf(held, open, calls, timers, taken) : [],
    ...{ state: value, tags: [...tags].sort(), events, childEvents: taken.filter(isChilds), dropped },
    ...{ timers: isOpen ? timers : [], questions: open, held },
    ...(asked.context === true && { context: context.context }),
    ...(output !== undefined && { output }),
  };
}

const activityOf = (held: Halt | null) => (held ? 'NeedsPerson' : 'Running');

function awaitsOf(
  held: Halt | null,
  questions: readonly OpenQuestion[],
  calls: readonly string[],
  timers: Awaited['timers'],
  events: readonly string[],
): string[] {
  return [
    ...(held ? [`a person: the step for ${held.event} cannot be taken: ${held.message} (\`resolve\`)`] : []),
    ...questions.map(
      ({ of, question, until }) => `an answer of ${of}: ${question}${until ? ` until ${until}` : ''}`,
    ),
    ...calls.filter((call) => call !== 'ask'),
    ...timers.map(({ timer, until }) => `${timer}: ${until}`),
    ...(events.length > 0 ? [`events: ${events.join(', ')}`] : []),
  ];
}

export function detailsOf(
  published: Published,
  snapshot: AnyMachineSnapshot,
  beside: Beside,
  awaited?: Awaited,
): string {
  const { flow, version, state, awaits, tags } = progressOf(published, snapshot, beside, awaited);
  const place = `${wordsOf(state)}${tags.length > 0 ? ` (${tags.join(', ')})` : ''}`;
  return [
    `**${flow}@${version}: ${place}**`,
    '',
    ...descriptionsOf(snapshot),
    ...awaits.map((each) => `- ${each}`),
    ...(beside.dropped > 0 ? [`- ${droppedWords(beside.dropped)}`] : []),
  ].join('\n');
}

/** What the file says of its active states. */
const descriptionsOf = (snapshot: AnyMachineSnapshot): string[] =>
  activeNodes(snapshot).flatMap(({ description }) => (description ? [description, ''] : []));

export function attributesOf(questions: readonly OpenQuestion[], awaited?: Awaited): SearchAttributes {
  const inboxes = [...new Set(questions.map(({ of }) => of))].sort();
  return { LockerPhase: awaited?.halted ? 'NeedsPerson' : 'Open', LockerInbox: inboxes };
}
