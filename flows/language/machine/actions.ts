// Turns the actions, guards and delays of a file into those of xstate. reading/vocabulary.ts has the params of each.
import {
  and,
  assign,
  cancel,
  type EventObject,
  emit,
  enqueueActions,
  log,
  not,
  or,
  raise,
  sendTo,
  stateIn,
} from 'xstate';
import { LONGEST_WAIT_MS } from '../../../contract/flows/longest-wait.ts';
import { SIGNAL_ARGUMENT } from '../../../engine/actor-kinds.ts';
import { getOwn } from '../../../engine/chart/messages.ts';
import type { Emitted } from '../../../engine/definition/outgoing-rules.ts';
import { correlatedEvent, type GivenEvent } from '../correlation.ts';
import { durationMs, instantMs, instantText, lengthMs } from '../duration.ts';
import { ExpressionFailure } from '../expressions/failure.ts';
import { template } from '../expressions/template.ts';
import {
  type ActionData,
  type EventData,
  type FlowFile,
  type GuardData,
  type Json,
  type JsonObject,
  listOf,
  statesIn,
} from '../flow-file.ts';
import { fittedEvent } from './incoming.ts';
import {
  CANCEL_INVOKE,
  detailsOf,
  type EmittedEvent,
  errorView,
  type FlowContext,
  type MachineRuntime,
  type Moment,
} from './machine-runtime.ts';

export function actionsOf(
  given: ActionData | readonly ActionData[] | undefined,
  path: string,
  runtime: MachineRuntime,
): unknown[] {
  const isList = Array.isArray(given);
  return listOf(given).map((action, index) => actionOf(action, isList ? `${path}.${index}` : path, runtime));
}

/** A code that a file gives. */
const CODE = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
/** One that an expression gives may be of another system, as the code of a refusal. */
const LONGEST_CODE = 100;

const hasExpression = (value: Json | undefined): boolean => String(value).includes('${');
const isCodeOfOthers = (code: string): boolean => code.trim() !== '' && code.length <= LONGEST_CODE;

/** Unless the file says what: all that the failure says with whose code it fails. */
function failureDetails(
  { details, detail }: JsonObject,
  code: string,
  { event }: Moment,
): readonly Json[] | undefined {
  if (Array.isArray(details)) return details as readonly Json[];
  const { error } = event as { readonly error?: unknown };
  const isOfEvent = detail === undefined && error !== undefined && errorView(error).code === code;
  const all = isOfEvent ? detailsOf(error) : [];
  return all.length > 0 ? all : undefined;
}

interface Enqueue {
  raise(event: EventObject, options: object): void;
  emit(event: Emitted): void;
}

const isDescribed = ({ events = {} }: FlowFile, type: string): boolean =>
  getOwn<EventData>(events, type)?.data !== undefined;

type Make = (params: JsonObject, path: string, runtime: MachineRuntime) => unknown;

const makers = {
  assign: (params, path, runtime) => {
    const run = template(params, path);
    return assign(((moment: Moment): FlowContext => {
      const { context } = moment;
      return {
        ...context,
        context: { ...context.context, ...(runtime.evaluate(run, moment) as JsonObject) },
      };
    }) as never);
  },
  emit: (params, path, runtime) => {
    const run = template(params, path);
    return emit(((moment: Moment): EmittedEvent => {
      const {
        type,
        data = null,
        to,
      } = runtime.evaluate(run, moment) as { type: string; data?: Json; to?: string };
      return { type: 'emit', emitted: { type, data, ...(to !== undefined && { to }) } };
    }) as never);
  },
  raise: ({ delay: after, id, ...event }, path, runtime) => {
    const run = template(event, path);
    const options = {
      ...(typeof after === 'string' && { delay: delay(after, `${path}.delay`, runtime) }),
      ...(typeof id === 'string' && { id }),
    };
    if (!isDescribed(runtime.file, String(event.type)))
      return raise(((moment: Moment) => runtime.evaluate(run, moment)) as never, options as never);
    return enqueueActions((({ enqueue, ...moment }: Moment & { readonly enqueue: Enqueue }) => {
      const raised = runtime.evaluate(run, moment) as unknown as EventObject;
      const fitted = fittedEvent(runtime.file, raised);
      if (fitted) enqueue.raise(fitted, options);
      else enqueue.emit({ type: 'putAside', event: raised });
    }) as never);
  },
  sendTo: ({ to, ...given }, path, runtime) => {
    const run = template(given, path);
    if (to !== undefined)
      return sendTo(String(to), ((moment: Moment) => ({
        type: 'event',
        [SIGNAL_ARGUMENT]: runtime.evaluate(run, moment),
      })) as never);
    return emit(((moment: Moment) => {
      const event = correlatedEvent(runtime.evaluate(run, moment) as unknown as GivenEvent);
      if (!Array.isArray(event)) return { type: 'notOurs', payload: { kind: 'event', event } };
      const [{ field, message } = { field: '', message: '' }] = event;
      throw runtime.failed(
        new ExpressionFailure({
          code: 'ExpressionFailed',
          path: `${path}.${field}`,
          reason: `the event cannot be sent: ${message}`,
        }),
      );
    }) as never);
  },
  sendParent: (params, path, runtime) => {
    const run = template(params, path);
    return emit(((moment: Moment) => ({
      type: 'toParent',
      event: { data: null, ...(runtime.evaluate(run, moment) as JsonObject) },
    })) as never);
  },
  cancel: ({ raise: raised, invoke }) =>
    raised === undefined ? sendTo(String(invoke), { type: CANCEL_INVOKE }) : cancel(String(raised)),
  extend: ({ booking, ...given }, path, runtime) => {
    const run = template(given, path);
    return sendTo(String(booking), ((moment: Moment) => {
      const { role, stage, until, fromNow } = runtime.evaluate(run, moment) as JsonObject;
      const [field, end] =
        fromNow === undefined ? (['until', until] as const) : (['fromNow', fromNow] as const);
      const now = runtime.now();
      const problem = delayProblem(end ?? null, now);
      if (problem !== undefined)
        throw runtime.failed(invalid(problem, String(given[field]), `${path}.${field}`));
      const at = now + (durationMs(end) ?? Math.max(1, (instantMs(end) as number) - now));
      return { type: 'extendDeadline', payload: { role, stage, until: instantText(at) } };
    }) as never);
  },
  fail: (params, path, runtime) => {
    const run = template(params, path);
    const [isCode, expected] = hasExpression(params.code)
      ? [isCodeOfOthers, `a text of 1 to ${LONGEST_CODE} characters`]
      : [(code: string) => CODE.test(code), 'one word of letters, digits, - and _'];
    return assign(((moment: Moment): FlowContext => {
      const given = runtime.evaluate(run, moment) as JsonObject;
      const { code, message = code, detail = null } = given;
      if (typeof code !== 'string' || !isCode(code))
        throw runtime.failed(
          new ExpressionFailure({
            code: 'ExpressionFailed',
            path: `${path}.code`,
            expression: String(params.code),
            reason: `it gives ${JSON.stringify(code)}, expected ${expected}`,
          }),
        );
      const text = typeof message === 'string' ? message : JSON.stringify(message);
      const details = failureDetails(given, code, moment);
      return {
        ...moment.context,
        failure: { code, message: text, detail, ...(details && { details }) },
      };
    }) as never);
  },
  log: (params, path, runtime) => {
    const run = template(params, path);
    return log(((moment: Moment) => runtime.evaluate(run, moment)) as never, 'flow file');
  },
} satisfies Readonly<Record<string, Make>>;

export type ActionType = keyof typeof makers;

const isActionType = (type: string): type is ActionType => Object.hasOwn(makers, type);

function actionOf({ type, params = {} }: ActionData, path: string, runtime: MachineRuntime): unknown {
  if (!isActionType(type))
    throw new TypeError(
      `${path}: ${type} is not an action, expected one of ${Object.keys(makers).join(', ')}`,
    );
  return Object.assign(makers[type](params, `${path}.params`, runtime) as object, {
    text: textOf(type, params),
  });
}

/** As charts show it: what is assigned, emitted, raised or cancelled, without the values. */
function textOf(type: string, params: JsonObject): string {
  const { type: event, invoke, raise: raised, booking, code } = params;
  const what =
    type === 'assign' ? Object.keys(params).join(', ') : (event ?? invoke ?? raised ?? booking ?? code ?? '');
  return what === '' ? type : `${type} ${String(what)}`;
}

export function guardOf(guard: GuardData, path: string, runtime: MachineRuntime): unknown {
  if (typeof guard === 'string') return expressionGuard(guard, path, runtime);
  const { type, params = {} } = guard;
  const make = getOwn<Make>(guardMakers, type);
  if (!make)
    throw new TypeError(
      `${path}: ${type} is not a guard, expected an expression, or one of ${Object.keys(guardMakers).join(', ')}`,
    );
  return make(params, `${path}.params`, runtime);
}

const guardMakers = {
  stateIn: ({ state }) => withText(stateIn(state as never), `in ${String(state)}`),
  not: ({ guard }, path, runtime) => {
    const inner = guardOf(guard as GuardData, `${path}.guard`, runtime);
    return withText(not(inner as never), `!(${textOfGuard(inner)})`);
  },
  and: ({ guards }, path, runtime) => joinedGuards(and, ' && ', guardsOf(guards, path, runtime)),
  or: ({ guards }, path, runtime) => joinedGuards(or, ' || ', guardsOf(guards, path, runtime)),
} satisfies Readonly<Record<string, Make>>;

export type GuardType = keyof typeof guardMakers;

const guardsOf = (given: Json | undefined, path: string, runtime: MachineRuntime): unknown[] =>
  (given as readonly GuardData[]).map((each, index) => guardOf(each, `${path}.guards.${index}`, runtime));

const joinedGuards = (join: typeof and | typeof or, between: string, guards: readonly unknown[]): object =>
  withText(join(guards as never), guards.map((each) => `(${textOfGuard(each)})`).join(between));

/** With the text that charts show. */
const withText = (guard: unknown, text: string): object => Object.assign(guard as object, { text });

const textOfGuard = (guard: unknown): string => (guard as { readonly text: string }).text;

function expressionGuard(text: string, path: string, runtime: MachineRuntime): (moment: Moment) => boolean {
  const run = template(text, path);
  const guard = (moment: Moment) => {
    const value = runtime.evaluate(run, moment);
    if (typeof value === 'boolean') return value;
    const reason = `it gives ${JSON.stringify(value)}, expected true or false`;
    throw runtime.failed(new ExpressionFailure({ code: 'ExpressionFailed', path, expression: text, reason }));
  };
  return Object.assign(guard, { text: text.replaceAll(/\$\{|\}$/g, '') });
}

/** The delays of all `after` in a file, by their text: xstate finds them by it. */
export const delaysOf = (
  file: FlowFile,
  runtime: MachineRuntime,
): Record<string, (moment: Moment) => number> =>
  Object.fromEntries(
    statesIn(file).flatMap(({ state: { after = {} }, keys }) => {
      const path = [...keys.flatMap((key) => ['states', key]), 'after'].join('.');
      return Object.keys(after).map((text) => [text, delay(text, `${path}.${text}`, runtime)]);
    }),
  );

/** Milliseconds from now. An expression that gives null means never: Infinity, for which no timer is set. */
export function delay(text: string, path: string, runtime: MachineRuntime): (moment: Moment) => number {
  const fixed = durationMs(text);
  if (fixed !== null) return () => fixed;
  const run = template(text, path);
  return (moment) => {
    const value = runtime.evaluate(run, moment);
    if (value === null) return Number.POSITIVE_INFINITY;
    const problem = delayProblem(value, runtime.now());
    if (problem !== undefined) throw runtime.failed(invalid(problem, text, path));
    // An instant in the past still waits 1 ms, so that it comes as an event of its own.
    return lengthMs(value) ?? Math.max(1, (instantMs(value) as number) - runtime.now());
  };
}

/** What is wrong with a duration or an instant, in words; undefined if nothing is wrong. */
export function delayProblem(value: Json, now: number): string | undefined {
  const at = instantMs(value);
  const length = lengthMs(value) ?? (at === null ? null : at - now);
  const given = `it gives ${JSON.stringify(value)?.slice(0, 100)}`;
  if (length === null) return `${given}, which is neither a duration nor an instant`;
  return length > LONGEST_WAIT_MS ? `${given}, which is more than a hundred years from now` : undefined;
}

function invalid(reason: string, expression: string, path: string): ExpressionFailure {
  return new ExpressionFailure({ code: 'DelayInvalid', path, expression, reason });
}
