// Events of a process of a flow file: sends one from outside (if no state takes it, nothing changes), and lets a halted process go
// on without the one whose step failed. The history keeps who decided that and why.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { EventSent } from '../../client/locker-flows.ts';
import { clock } from '../../contract/flows/flow-input-check.ts';
import { CANCEL_REQUESTED, TIMER_MOVED } from '../../engine/chart/messages.ts';
import { dataProblem } from '../../flows/language/correlation.ts';
import type { Json } from '../../flows/language/flow-file.ts';
import type { ValueIssue } from '../../flows/language/value-issues.ts';
import { t } from '../../shared/texts/text.ts';
import { validationOf } from '../actions.ts';
import { CommandError, wrongInput } from '../outcome.ts';
import { attributionOf, type CommandContext, decisionOf, withDeadline } from '../temporal-context.ts';
import { progressOf } from '../views/progress.ts';
import { command, processCommand, requireStart } from './command.ts';
import { text } from './read-values.ts';

const input = z.strictObject({
  type: text,
  /** A repeated id is ignored. */
  id: z.string().min(1).max(200).optional(),
  /** More about it; expressions see it as event.data. */
  data: z
    .json()
    .transform((data) => data as Json)
    .superRefine((data, { addIssue }) => {
      const problem = dataProblem(data);
      if (problem !== undefined) addIssue(problem);
    })
    .optional(),
});
type Input = z.infer<typeof input>;

export interface Sent {
  readonly type: string;
  readonly id: string;
}

export interface SentToProcess extends Sent {
  /** It was sent with this id before, and takes effect once. */
  readonly isRepeated: boolean;
  /** Whether the process takes it where it is, and what it takes; null: no worker has answered. */
  readonly isTaken: boolean | null;
  readonly takes: readonly string[] | null;
}

export const event = processCommand({
  name: 'event',
  why: 'optional',
  input,
  meaning: 'Sends an event to a process of a flow file',
  example: { type: 'payment.received', id: 'payment-7', data: { amount: 12 } },
  forms: {
    event: {
      get label() {
        return t`Tell an event`;
      },
      get meaning() {
        return t`The case takes the event as if somebody outside had told it. A guard of the flow may still be against it; then nothing changes.`;
      },
    },
  },
  async act(commandContext, key, given): Promise<SentToProcess> {
    const taken = await takenFromOutside(commandContext, key, given);
    const { type, id = randomUUID(), data } = given;
    const sent = { type, id, ...(data !== undefined && { data }), who: attributionOf(commandContext) };
    await commandContext.flows.fileHandle(key).sendEvent(sent);
    return { type, id, ...taken };
  },
  formatResult: ({ type, id, isRepeated, isTaken, takes }) => {
    if (isRepeated) return t`was sent ${type} before with the id ${id}: it takes effect once`;
    return isTaken !== false || takes === null
      ? t`was sent ${type}`
      : t`was sent ${type}, which it does not take where it is; it takes ${takes.join(', ') || t`no event`}`;
  },
});

const correlated = input.extend({
  where: z.record(text, z.union([z.string(), z.number(), z.boolean()])).optional(),
  keepFor: z.string().optional(),
  /** Also where no published flow listens for it. */
  keepAnyway: z.boolean().optional(),
  /** The time of the processes that it starts. */
  clock,
});

type SentByKeys = Sent & EventSent;

export type CorrelatedInput = z.infer<typeof correlated>;

/** To every process with these keys. It has no target: nobody knows yet which processes those are. */
export const sendEvent = command({
  name: 'sendEvent',
  right: 'decide',
  why: 'optional',
  input: correlated,
  flowOf: async () => null,
  preview: async () => null,
  async act(
    commandContext,
    _target: null,
    { type, where, data, keepFor, keepAnyway, clock, id: given }: CorrelatedInput,
  ): Promise<SentByKeys> {
    const { id, ...sent } = await commandContext.flows.sendEvent({
      type,
      ...(where !== undefined && { where }),
      ...(given !== undefined && { id: given }),
      ...(data !== undefined && { data }),
      ...(keepFor !== undefined && { keepFor }),
      ...(keepAnyway !== undefined && { keepAnyway }),
      ...(clock && { clock }),
      who: attributionOf(commandContext),
      requireStart: (flow) => requireStart(commandContext, flow),
      asksQueue: true,
    });
    return { type, id, ...sent };
  },
  formatPreview: () => t`every case with these keys gets the event`,
  formatResult: ({ type, id, flows, processes, isRepeated, started }) =>
    [
      isRepeated ? t`${type} was sent before with the id ${id}: it takes effect once` : t`${type} is sent`,
      ...formatStarted(started),
      ...(isRepeated ? [] : formatListening(flows, processes)),
    ].join('; '),
});

function formatStarted(started: SentByKeys['started']): string[] {
  const keys = (isNew: boolean) => started.flatMap((each) => (each.isNew === isNew ? each.key : []));
  const [fresh, old] = [keys(true), keys(false)];
  return [
    ...(fresh.length > 0 ? [t`started by it: ${fresh.join(', ')}`] : []),
    ...(old.length > 0 ? [t`there already, so it starts nothing: ${old.join(', ')}`] : []),
  ];
}

function formatListening(flows: SentByKeys['flows'], processes: SentByKeys['processes']): string[] {
  if (flows?.length === 0) return [];
  return [
    ...(flows === null ? [] : [t`published flows that listen for it: ${flows.join(', ')}`]),
    processes === null
      ? t`no worker says how many processes listen`
      : t`processes that listened just before: ${String(processes)}`,
  ];
}

const BY_CANCEL = 'is sent by the command cancel';
const BY_EXTEND = 'is sent by the commands extend and shorten';
const OF_CHILD = 'comes only from what the process has started: nobody else may send it';

/**
 * Throws CommandError where the event would be lost whatever happens: where it comes only from a flow that the process has started, or where
 * no state of its file takes it, or its data is not as the file describes it. Without a worker only the client can say the last:
 * the process itself drops such an event later.
 */
async function takenFromOutside(
  commandContext: CommandContext,
  key: string,
  { type, id, data }: Input,
): Promise<Pick<SentToProcess, 'isTaken' | 'takes' | 'isRepeated'>> {
  const progress = await progressOf(commandContext, key).catch(() => null);
  const isOfChild = progress?.childEvents.some(
    (taken) => taken === type || (taken.endsWith('.*') && type.startsWith(taken.slice(0, -1))),
  );
  if (type === CANCEL_REQUESTED) throw wrongInput(`${type} ${BY_CANCEL}`, { type: BY_CANCEL });
  if (type === TIMER_MOVED) throw wrongInput(`${type} ${BY_EXTEND}`, { type: BY_EXTEND });
  if (isOfChild) throw wrongInput(`${type} ${OF_CHILD}`, { type: OF_CHILD });
  const fields = { type, ...(id !== undefined && { id }), ...(data !== undefined && { data }) };
  const validation = await validationOf(commandContext, key, { command: 'event', fields }).catch(() => null);
  const { code, message = '' } = validation?.refusal ?? {};
  if (code === 'EventUnknown')
    throw new CommandError('wrongInput', code, message, { fields: { type: message } });
  if (code === 'EventDataWrong') throw wrongInput(message, fieldsIn(validation?.refusal?.details));
  // A halted process keeps it until a person has decided.
  return {
    isTaken: progress?.halted ? null : (validation?.isPossible ?? null),
    takes: progress?.events ?? null,
    isRepeated: code === 'EventRepeated',
  };
}

const fieldsIn = (issues: unknown) =>
  Object.fromEntries((issues as readonly ValueIssue[]).map(({ field, message }) => [field, message]));

export const dropEvent = processCommand({
  name: 'dropEvent',
  why: 'needed',
  isDecision: true,
  input: z.strictObject({}),
  meaning: 'Continues a halted process of a flow file without the event whose step failed',
  example: { why: 'the event was sent by mistake' },
  forms: {
    dropEvent: {
      get label() {
        return t`Go on without the event`;
      },
      isDestructive: true,
      get meaning() {
        return t`The event whose step failed is dropped. The case goes on as if it had never come.`;
      },
    },
  },
  fields: decisionOf,
  async act(commandContext, key): Promise<null> {
    await withDeadline(commandContext, () =>
      commandContext.flows.handle(key).dropEvent(decisionOf(commandContext)),
    );
    return null;
  },
  formatResult: () => t`it goes on without that event`,
});
