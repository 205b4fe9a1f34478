// Turns the actions of a file into those of xstate. reading/vocabulary.ts has the params of each.
import { assign, cancel, type EventObject, emit, enqueueActions, log, raise, sendTo } from 'xstate';
import { SIGNAL_ARGUMENT } from '../../../engine/actor-kinds.ts';
import { getOwn } from '../../../engine/chart/messages.ts';
import type { Emitted } from '../../../engine/definition/outgoing-rules.ts';
import { correlatedEvent, type GivenEvent } from '../correlation.ts';
import { durationMs, instantMs, instantText } from '../duration.ts';
import { ExpressionFailure } from '../expressions/failure.ts';
import { template } from '../expressions/template.ts';
import {
  type ActionData,
  type EventData,
  type FlowFile,
  type Json,
  type JsonObject,
  listOf,
} from '../flow-file.ts';
import { delay, delayProblem, invalidDelay } from './delays.ts';
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
        throw runtime.failed(invalidDelay(problem, String(given[field]), `${path}.${field}`));
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
