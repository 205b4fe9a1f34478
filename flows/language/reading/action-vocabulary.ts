// biome-ignore-all lint/suspicious/noTemplateCurlyInString: examples of expressions.
// Actions and guards of a flow file, with their params, and what checks and `lint` are to know of each. What they do is in
// machine/actions.ts.
import type { JsonObject } from '../flow-file.ts';
import type { ActionType } from '../machine/actions.ts';
import type { GuardType } from '../machine/guards.ts';
import type { Fields } from './vocabulary.ts';

/** Who hears the event that an action sends, whose type is the param `type`: `outside` are programs, by connectors. */
export type Hearer = 'itself' | 'parent' | 'processes' | 'outside';

export interface ActionRow {
  readonly meaning: string;
  /** Null: any, which are fields of the context. */
  readonly params: Fields | null;
  /** Params of which each action has exactly one. */
  readonly oneOf?: readonly [string, string];
  readonly tells?: Hearer;
  /** The fields of the context that it sets. */
  readonly sets?: (params: JsonObject) => readonly string[];
  /** The ids of the invokes that it cancels. */
  readonly cancels?: (params: JsonObject) => readonly string[];
  /** It is done only on the way into the end of the process. */
  readonly isOfEnd?: true;
}

/** Each action by its type: its params, and what checks and `lint` are to know of it. */
export const actionParams: Readonly<Record<string, ActionRow>> = {
  assign: {
    meaning: 'Changes fields of the context: each param is a field and its new value.',
    params: null,
    sets: Object.keys,
  },
  emit: {
    meaning: 'Sends an event to the outside.',
    tells: 'outside',
    params: {
      type: { kind: 'eventName', meaning: 'Its type.', required: true },
      data: { kind: 'value', meaning: 'Its data.' },
      to: {
        kind: 'connector',
        meaning: 'The connector that it goes to; by default the connector for events.',
      },
    },
  },
  raise: {
    meaning: 'Sends an event to the process itself.',
    tells: 'itself',
    params: {
      type: { kind: 'eventName', meaning: 'Its type.', required: true },
      data: { kind: 'value', meaning: 'Its data.' },
      delay: { kind: 'delay', meaning: 'How long the process waits before the event comes.' },
      id: { kind: 'name', meaning: 'A name by which `cancel` can take the event back before it comes.' },
    },
  },
  sendTo: {
    meaning:
      'Sends an event to a flow that this file invokes, or to all processes that have certain keys (their `correlate`). Give one of `to` and `where`.',
    tells: 'processes',
    oneOf: ['to', 'where'],
    params: {
      type: { kind: 'eventName', meaning: 'Its type.', required: true },
      to: { kind: 'invokeId', meaning: 'The id of an invoke that runs a flow file.' },
      where: {
        kind: 'value',
        meaning:
          'The keys that a process must have to get it, with their values, such as `device: ${input.device}`.',
      },
      data: { kind: 'value', meaning: 'Its data.' },
      keepFor: {
        kind: 'anyDuration',
        meaning: 'With `where`: how long it waits for a process that takes it; an hour unless given.',
      },
      id: { kind: 'value', meaning: 'With `where`: its id. The same id again is the same event.' },
    },
  },
  sendParent: {
    meaning: 'Sends an event to the file that has invoked this one, which hears it as `<id>.<type>`.',
    tells: 'parent',
    params: {
      type: { kind: 'eventName', meaning: 'Its type.', required: true },
      data: { kind: 'value', meaning: 'Its data.' },
    },
  },
  cancel: {
    meaning:
      'Cancels an invoke that runs, or takes back a raised event before it comes. Give one of the two.',
    oneOf: ['invoke', 'raise'],
    cancels: ({ invoke }) => (typeof invoke === 'string' ? [invoke] : []),
    params: {
      invoke: {
        kind: 'invokeId',
        meaning: 'The id of an invoke: it ends as cancelled, and its `onError` hears that.',
      },
      raise: { kind: 'raiseId', meaning: 'The id of a raised event.' },
    },
  },
  extend: {
    meaning:
      'Moves the deadline of a leg of a booking, or gives its stage one, also before the stage begins. Give one of `fromNow` and `until`. A leg that is beyond the stage stays as it is.',
    oneOf: ['fromNow', 'until'],
    params: {
      booking: { kind: 'invokeId', meaning: 'The id of an invoke of `book`.', required: true },
      role: { kind: 'text', meaning: 'The leg.', required: true },
      stage: {
        kind: 'text',
        meaning: 'The stage of the leg.',
        required: true,
        values: ['dropOff', 'receiver', 'pickUp'],
      },
      fromNow: { kind: 'anyDuration', meaning: 'How long from now the stage may last.' },
      until: { kind: 'value', meaning: 'The instant at which it ends; one that is past ends it at once.' },
    },
  },
  fail: {
    meaning:
      'Lets the process fail, in the `entry` of a final state at the top of the file. Whoever has started it hears code, message and detail.',
    isOfEnd: true,
    params: {
      code: {
        kind: 'code',
        meaning:
          'What has gone wrong, as one word of letters, digits, - and _ such as `PartsMissing`; from an expression any text of at most 100 characters.',
        required: true,
      },
      message: { kind: 'value', meaning: 'What has gone wrong, for people; by default the code.' },
      detail: { kind: 'value', meaning: 'Data about it.' },
      details: {
        kind: 'value',
        meaning:
          'In place of `detail`: a list. Where neither is given and the code is that of what has failed, all that this says.',
      },
    },
  },
  log: {
    meaning: "Writes to the worker's log.",
    params: {
      message: { kind: 'value', meaning: 'What is written.', required: true },
      data: { kind: 'value', meaning: 'Data beside it.' },
    },
  },
} satisfies Readonly<Record<ActionType, ActionRow>>;

export const guardParams: Readonly<Record<GuardType, Fields>> = {
  stateIn: {
    state: { kind: 'stateIn', meaning: 'The state that must be active, as `#id`.', required: true },
  },
  not: { guard: { kind: 'guard', meaning: 'The guard that must not hold.', required: true } },
  and: { guards: { kind: 'guards', meaning: 'The guards of which each must hold.', required: true } },
  or: { guards: { kind: 'guards', meaning: 'The guards of which one must hold.', required: true } },
};
