// Turns the states of a file into the configuration of xstate: the same data, with functions in place of expressions.
import { template } from '../expressions/template.ts';
import {
  bounds,
  type InvokeData,
  invokeIdOf,
  isMap,
  type Json,
  type JsonObject,
  listOf,
  type StateData,
  subscribedEvents,
  type TransitionData,
  type TransitionsData,
} from '../flow-file.ts';
import { isWholeOnboarding } from '../whole-process.ts';
import { actionsOf } from './actions.ts';
import { withCalendarDeadlines } from './book-input.ts';
import { type EachData, eachBeginning, eachName, eachOf, eachRules } from './each-data.ts';
import { guardOf } from './guards.ts';
import {
  attemptsOf,
  type Invocation,
  inputTemplate,
  type MachineRuntime,
  type Moment,
} from './machine-runtime.ts';
import { checkInbox, checkQuestion } from './question.ts';
import { undoing, writtenDown } from './undo.ts';

/** `keys` are the names of the states that lead from the machine to this state. */
export function stateConfig(
  state: StateData,
  keys: readonly string[],
  runtime: MachineRuntime,
): Record<string, unknown> {
  const at = (part: string) => [...keys.flatMap((key) => ['states', key]), part].join('.');
  const { id, type, initial, history, target, tags, description } = state;
  const meta = metaOf(state);
  const config: Record<string, unknown> = { id, type, initial, history, target, tags, description, meta };
  if (keys.length === 0) delete config.id;
  for (const part of ['entry', 'exit'] as const)
    if (state[part]) config[part] = actionsOf(state[part], at(part), runtime);
  for (const part of ['always', 'onDone'] as const)
    if (state[part]) config[part] = transitionsConfig(state[part], at(part), runtime);
  for (const part of ['on', 'after'] as const)
    if (state[part])
      config[part] = byKey(state[part], (each, key) =>
        transitionsConfig(each, `${at(part)}.${key}`, runtime),
      );
  if (state.invoke) config.invoke = invokesConfig(state.invoke, keys, at('invoke'), runtime);
  const sources = listOf(state.invoke).map((invoke) => eachOf(invoke)?.do.src ?? invoke.src);
  if (sources.some((src) => src === 'undo' || src === 'book'))
    config.on = { ...undoing, ...(config.on as object | undefined) };
  if (state.output !== undefined) config.output = evaluated(state.output, at('output'), runtime);
  if (state.states)
    config.states = byKey(state.states, (inner, key) => stateConfig(inner, [...keys, key], runtime));
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
}

/** What only charts and people read. */
function metaOf({ meta, title, overdue }: StateData): object | undefined {
  const shown = { ...(title !== undefined && { title }), ...(overdue === true && { overdue }) };
  return Object.keys(shown).length === 0 ? meta : { ...meta, ...shown };
}

function byKey<Given>(given: Readonly<Record<string, Given>>, make: (each: Given, key: string) => unknown) {
  return Object.fromEntries(Object.entries(given).map(([key, each]) => [key, make(each, key)]));
}

function transitionsConfig(given: TransitionsData, path: string, runtime: MachineRuntime): unknown {
  if (Array.isArray(given))
    return (given as readonly (string | TransitionData)[]).map((each, index) =>
      transitionConfig(each, `${path}.${index}`, runtime),
    );
  return transitionConfig(given as string | TransitionData, path, runtime);
}

function transitionConfig(given: string | TransitionData, path: string, runtime: MachineRuntime): unknown {
  if (typeof given === 'string') return { target: given };
  const { guard, actions, was: _, ...rest } = given;
  return {
    ...rest,
    ...(guard !== undefined && { guard: guardOf(guard, `${path}.guard`, runtime) }),
    ...(actions !== undefined && { actions: actionsOf(actions, `${path}.actions`, runtime) }),
  };
}

function evaluated(value: Json, path: string, runtime: MachineRuntime): (moment: Moment) => Json {
  const run = template(value, path);
  return (moment) => runtime.evaluate(run, moment);
}

function invokesConfig(
  given: InvokeData | readonly InvokeData[],
  keys: readonly string[],
  path: string,
  runtime: MachineRuntime,
) {
  const isList = Array.isArray(given);
  return listOf(given).map((invoke, index) => {
    const here = isList ? `${path}.${index}` : path;
    const { onDone, onError, meta } = invoke;
    const id = invokeIdOf(invoke, keys, index);
    const each = eachOf(invoke);
    runtime.invokePaths.set(id, here);
    if (each) runtime.eachById.set(id, eachRules(each, `${here}.input`));
    const src = each ? eachName(each.do.src) : invoke.src;
    const input = each ? eachInvocation(each, id, here, runtime) : invocation(invoke, id, here, runtime);
    const done = onDone === undefined ? undefined : transitionsConfig(onDone, `${here}.onDone`, runtime);
    return {
      id,
      src,
      meta,
      input,
      ...((done !== undefined || invoke.undo) && {
        onDone: invoke.undo ? withFirst(done, writtenDown(invoke, id, here, runtime)) : done,
      }),
      ...(onError !== undefined && { onError: transitionsConfig(onError, `${here}.onError`, runtime) }),
    };
  });
}

/** Whatever transition is taken, and also if none is. */
function withFirst(transitions: unknown, action: object): unknown[] {
  const own = (listOf(transitions as object | undefined) as readonly { readonly actions?: object[] }[]).map(
    (each) => ({ ...each, actions: [action, ...listOf(each.actions)] }),
  );
  return [...own, { actions: [action] }];
}

/** Leaves what is evaluated for each item as it is. */
function eachInvocation(
  each: EachData,
  id: string,
  path: string,
  runtime: MachineRuntime,
): (moment: Moment) => Invocation {
  const subscriptions = subscribedEvents(runtime.file, id);
  const { of, atOnce, tolerate } = each;
  const here = `${path}.input`;
  const items = template(of, `${here}.of`, { maxBytes: bounds.itemsBytes });
  const rest = template(
    { ...(atOnce !== undefined && { atOnce }), ...(tolerate !== undefined && { tolerate }) },
    here,
  );
  return (moment) => {
    const value = { ...(runtime.evaluate(rest, moment) as JsonObject), of: runtime.evaluate(items, moment) };
    const written = each as unknown as JsonObject;
    return {
      id,
      src: 'each',
      input: eachBeginning(value, { written, path: here, runtime, subscriptions }),
      subscriptions,
    };
  };
}

function invocation(
  invoke: InvokeData,
  id: string,
  path: string,
  runtime: MachineRuntime,
): (moment: Moment) => Invocation {
  const { src, input: written = {} } = invoke;
  const here = `${path}.input`;
  const subscriptions = subscribedEvents(runtime.file, id);
  const more = attemptsOf(invoke);
  const isWhole = isWholeOnboarding(invoke);
  const run = inputTemplate(src, written, here);
  return (moment) => {
    const input = isWhole ? startIn(moment) : runtime.evaluate(run, moment);
    if (src === 'undo') checkInbox(input as JsonObject, written as JsonObject, here, runtime);
    if (src === 'ask') checkQuestion(input as JsonObject, written as JsonObject, here, runtime);
    const given = src === 'book' ? withCalendarDeadlines(input, here, runtime) : input;
    return { id, src, input: given, subscriptions, ...more };
  };
}

/** Whoever has started it may have given anything. */
const startIn = ({ context: { input, start = {} } }: Moment): Json =>
  isMap(start) ? { ...start, request: input } : start;
