// What a process would take now, in words: who or what it comes from, and what it means. The names of the chart's events stay
// with the words, for developers. A test holds that each event of each built-in chart has words.
import { roles, type Stage, stages } from '../../contract/flows/flow-input.ts';
import { eitherOf } from '../../contract/wire/format-issue.ts';
import { stateCodes } from '../../contract/wire/states.ts';
import type { AcceptedEvent, ChartViewTransition, EventOrigin } from './process-view.ts';

/** In the order in which a person looks for them. */
const order: readonly EventOrigin[] = ['wall', 'person', 'time', 'event', 'call', 'flow'];

export function takenOf(next: readonly ChartViewTransition[]): AcceptedEvent[] {
  const all = new Map<string, EventMessage & { readonly names: Set<string>; readonly states: Set<string> }>();
  for (const { event, guard, from } of next) {
    if (event === 'always') continue;
    const message = eventMessage(event, from);
    const id = `${message.from} ${message.words}`;
    const one = all.get(id) ?? { ...message, names: new Set(), states: new Set() };
    one.names.add(guard === null ? event : `${event} if ${guard}`);
    if (message.state !== undefined) one.states.add(message.state);
    all.set(id, one);
  }
  return [...all.values()]
    .map(({ from, words, names, states }) => ({
      from,
      words: states.size > 0 ? `${words} ${eitherOf([...states])}` : words,
      names: [...names],
    }))
    .sort((one, other) => order.indexOf(one.from) - order.indexOf(other.from));
}

interface EventMessage {
  readonly from: EventOrigin;
  readonly words: string;
  /** Words that differ in it alone are told once, with all their states. */
  readonly state?: string | undefined;
}

/**
 * An event that is not of a built-in chart is told by its own name: the author of the flow file chose it.
 * @param from the path of the state that takes it
 */
export function eventMessage(event: string, from = ''): EventMessage {
  return (
    own(event) ??
    ofLeg(event, from) ??
    ofTime(event) ??
    ofCall(event) ?? { from: 'event', words: `the event ${event}` }
  );
}

function own(event: string): EventMessage | undefined {
  const [from, words] = (Object.hasOwn(ofFlow, event) && ofFlow[event]) || [];
  return from && words ? { from, words } : undefined;
}

const LEGS = 'evidence or a person’s decision changes what it knows of a leg';

/** By the name of the event. */
const ofFlow: Readonly<Record<string, readonly [EventOrigin, string]>> = {
  shipmentStatus: ['wall', 'any other report about one of its shipments: it is noted, and moves nothing'],
  superseded: ['flow', 'another process takes over one of its shipments'],
  setReceiver: ['person', 'set the receiver of a shipment'],
  removeReceiver: ['person', 'remove the receiver of a shipment'],
  extendDeadline: ['person', 'extend a deadline'],
  resolve: ['person', 'decide what the process cannot know'],
  cancelRequested: ['person', 'cancel the process'],
  'others.awaited': ['flow', LEGS],
  'others.over': ['flow', LEGS],
  done: ['flow', 'all that runs within a state has ended'],
};

const anyOf = (words: readonly string[]): string => `(${words.join('|')})`;
const LEG = new RegExp(
  `^${anyOf(roles)}\\.${anyOf([...stateCodes, 'RoleUnknown', 'StateUnknown', 'Superseded', 'OverUnassigned'])}$`,
);

function ofLeg(event: string, from: string): EventMessage | undefined {
  const [, role, state] = LEG.exec(event) ?? [];
  if (state === undefined) return undefined;
  if (state === 'Superseded') return own('superseded');
  // The region of the leg takes what its state does not: corrections.
  const isForward = !from.endsWith(`.${role}`) && (stateCodes as readonly string[]).includes(state);
  return isForward
    ? { from: 'wall', words: `the ${role} is reported`, state }
    : { from: 'flow', words: LEGS };
}

const stageNames: Readonly<Record<Stage, string>> = {
  pickUp: 'to be picked up',
  dropOff: 'to be dropped off',
  receiver: 'to get a receiver',
};

const DEADLINE = new RegExp(`^after (reminder\\.)?${anyOf(roles)}\\.${anyOf(stages)}$`);

function ofTime(event: string): EventMessage | undefined {
  const [, reminder, role, stage] = DEADLINE.exec(event) ?? [];
  if (stage !== undefined) {
    const what = reminder ? 'the reminder before the deadline' : 'the deadline';
    return { from: 'time', words: `${what} of the ${role} ${stageNames[stage as Stage]}` };
  }
  const [, delay] = /^after (.*)$/s.exec(event) ?? [];
  if (delay === undefined) return undefined;
  return { from: 'time', words: delays[delay] ?? `the time ${delay} has passed` };
}

const delays: Readonly<Record<string, string>> = {
  nextTryOfUndoing: 'the next try to undo what is left',
  callbacksOfUndoing: 'the end of the wait for the reports of what is undone',
};

/** By the name of the activity. */
const calls: Readonly<Record<string, string>> = {
  book: 'the booking',
  undo: 'the undoing',
  changeReceiver: 'the change of the receiver',
  findAccount: 'the search for the account',
  setPickUpPoint: 'the change of the pick up point',
  setDetails: 'the change of the account’s details',
  setMutationConfig: 'the change of what the person may change',
};

function ofCall(event: string): EventMessage | undefined {
  const [, call, end] = /^(.+) (done|failed)$/s.exec(event) ?? [];
  if (call === undefined) return undefined;
  return { from: 'call', words: `${calls[call] ?? call} ${end === 'done' ? 'is done' : 'fails'}` };
}
