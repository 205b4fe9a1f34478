// Turns the states of a file into the configuration of xstate: the same data, with functions in place of expressions.
import { template } from '../expressions/template.ts';
import {
  bounds,
  type InvokeData,
  invokeIdOf,
  type Json,
  type JsonObject,
  listOf,
  type StateData,
  subscribedEvents,
  type TransitionData,
  type TransitionsData,
} from '../flow-file.ts';
import { actionsOf, guardOf } from './actions.ts';
import { withCalendarDeadlines } from './book-input.ts';
import { type EachData, eachBeginning, eachName, eachOf, eachRules } from './each-data.ts';
import { attemptsOf, type Invocation, inputTemplate, type Kit, type Moment } from './kit.ts';
import { checkInbox, checkQuestion } from './question.ts';
import { undoing, writtenDown } from './undo.ts';

/** `keys` are the names of the states that lead from the machine to this state. */
export function stateConfig(state: StateData, keys: readonly string[], kit: Kit): Record<string, unknown> {
  const at = (part: string) => [...keys.flatMap((key) => ['states', key]), part].join('.');
  const { id, type, initial, history, target, tags, description } = state;
  const meta = metaOf(state);
  const config: Record<string, unknown> = { id, type, initial, history, target, tags, description, meta };
  if (keys.length === 0) delete config.id;
  for (const part of ['entry', 'exit'] as const)
    if (state[part]) config[part] = actionsOf(state[part], at(part), kit);
  for (const part of ['always', 'onDone'] as const)
    if (state[part]) config[part] = transitionsConfig(state[part], at(part), kit);
  for (const part of ['on', 'after'] as const)
    if (state[part])
      config[part] = byKey(state[part], (each, key) => transitionsConfig(each, `${at(part)}.${key}`, kit));
  if (state.invoke) config.invoke = invokesConfig(state.invoke, keys, at('invoke'), kit);
  const sources = listOf(state.invoke).map((invoke) => eachOf(invoke)?.do.src ?? invoke.src);
  if (sources.some((src) => src === 'undo' || src === 'book'))
    config.on = { ...undoing, ...(config.on as object | undefined) };
  if (state.output !== undefined) config.output = evaluated(state.output, at('output'), kit);
  if (state.states)
    config.states = byKey(state.states, (inner, key) => stateConfig(inner, [...keys, key], kit));
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

function transitionsConfig(given: TransitionsData, path: string, kit: Kit): unknown {
  if (Array.isArray(given))
    return (given as readonly (string | TransitionData)[]).map((each, index) =>
      transitionConfig(each, `${path}.${index}`, kit),
    );
  return transitionConfig(given as string | TransitionData, path, kit);
}

function transitionConfig(given: string | TransitionData, path: string, kit: Kit): unknown {
  if (typeof given === 'string') return { target: given };
  const { guard, actions, was: _, ...rest } = given;
  return {
    ...rest,
    ...(guard !== undefined && { guard: guardOf(guard, `${path}.guard`, kit) }),
    ...(actions !== undefined && { actions: actionsOf(actions, `${path}.actions`, kit) }),
  };
}

function evaluated(value: Json, path: string, kit: Kit): (moment: Moment) => Json {
  const run = template(value, path);
  return (moment) => kit.evaluate(run, moment);
}

function invokesConfig(
  given: InvokeData | readonly InvokeData[],
  keys: readonly string[],
  path: string,
  kit: Kit,
) {
  const isList = Array.isArray(given);
  return listOf(given).map((invoke, index) => {
    const here = isList ? `${path}.${index}` : path;
    const { onDone, onError, meta } = invoke;
    const id = invokeIdOf(invoke, keys, index);
    const each = eachOf(invoke);
    kit.invokePaths.set(id, here);
    if (each) kit.eachById.set(id, eachRules(each, `${here}.input`));
    const src = each ? eachName(each.do.src) : invoke.src;
    const input = each ? eachInvocation(each, id, here, kit) : invocation(invoke, id, here, kit);
    const done = onDone === undefined ? undefined : transitionsConfig(onDone, `${here}.onDone`, kit);
    return {
      id,
      src,
      meta,
      input,
      ...((done !== undefined || invoke.undo) && {
        onDone: invoke.undo ? withFirst(done, writtenDown(invoke, id, here, kit)) : done,
      }),
      ...(onError !== undefined && { onError: transitionsConfig(onError, `${here}.onError`, kit) }),
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
function eachInvocation(each: EachData, id: string, path: string, kit: Kit): (moment: Moment) => Invocation {
  const subscriptions = subscribedEvents(kit.file, id);
  const { of, atOnce, tolerate } = each;
  const here = `${path}.input`;
  const items = template(of, `${here}.of`, { maxBytes: bounds.itemsBytes });
  const rest = template(
    { ...(atOnce !== undefined && { atOnce }), ...(tolerate !== undefined && { tolerate }) },
    here,
  );
  return (moment) => {
    const value = { ...(kit.evaluate(rest, moment) as JsonObject), of: kit.evaluate(items, moment) };
    const written = each as unknown as JsonObject;
    return {
      id,
      src: 'each',
      input: eachBeginning(value, { written, path: here, kit, subscriptions }),
      subscriptions,
    };
  };
}

function invocation(invoke: InvokeData, id: string, path: string, kit: Kit): (moment: Moment) => Invocation {
  const { src, input: written = {} } = invoke;
  const here = `${path}.input`;
  const subscriptions = subscribedEvents(kit.file, id);
  const more = attemptsOf(invoke);
  const run = inputTemplate(src, written, here);
  return (moment) => {
    const input = kit.evaluate(run, moment);
    if (src === 'undo') checkInbox(input as JsonObject, written as JsonObject, here, kit);
    if (src === 'ask') checkQuestion(input as JsonObject, written as JsonObject, here, kit);
    const given = src === 'book' ? withCalendarDeadlines(input, here, kit) : input;
    return { id, src, input: given, subscriptions, ...more };
  };
}
