// A machine of xstate for a document of SCXML. All transitions of a state stand under its wildcard with a guard for their
// events: so they are tried in the order of the document, and the names of events match as SCXML has it.
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createMachine,
  type EventObject,
  enqueueActions,
} from 'xstate';
import { blockOf, type Context, heardOf, isIn, payloadOf } from './content.ts';
import {
  assignTo,
  type Data,
  evaluate,
  processorsOf,
  run,
  type Surroundings,
  valueOfText,
} from './data-model.ts';
import { childrenNamed, type Element, Unconvertible } from './element.ts';

const STATES = ['state', 'parallel', 'final', 'history'];
const INVOKED = ['scxml', 'http://www.w3.org/TR/scxml/', 'http://www.w3.org/TR/scxml'];

/** Ids are keys too, where a point would be a path. */
const keyOf = (id: string) => id.replaceAll('.', '$');
const idsIn = (list: string | undefined) => (list ?? '').split(/\s+/).filter(Boolean);
const targetsOf = (list: string | undefined) => idsIn(list).map((id) => `#${keyOf(id)}`);

interface Args {
  readonly context: unknown;
  readonly event: EventObject;
}

function around({ context, event }: Args, snapshot?: AnyMachineSnapshot): Surroundings {
  const { data, sessionId, name, processors } = context as Context;
  const isNow = (id: string) => snapshot !== undefined && isIn(snapshot, keyOf(id));
  return { data: { ...data }, heard: heardOf(event), sessionId, name, processors, isIn: isNow };
}

export function machineOf(scxml: Element): AnyStateMachine {
  const documentName = scxml.attributes.name ?? 'document';
  const root = stateOf(scxml, 'document');
  return createMachine({
    ...root,
    id: 'document',
    context: ({ input, self }: { input: unknown; self: { sessionId: string } }) => {
      const { sessionId } = self;
      const start = { sessionId, name: documentName, processors: processorsOf(sessionId) };
      return contextOf(scxml, start, typeof input === 'object' && input !== null ? (input as Data) : {});
    },
    entry: [errorsOfData, ...((root.entry as object[]) ?? [])],
    output: ({ event }: { event: { output?: unknown } }) => event.output,
  } as never);
}

const errorsOfData = enqueueActions(({ context, enqueue }) => {
  const { errors } = context as unknown as Context;
  for (let count = 0; count < errors; count++) enqueue.raise(failure as never);
});

function contextOf(
  scxml: Element,
  start: Pick<Context, 'sessionId' | 'name' | 'processors'>,
  input: Data,
): Context {
  const data: Data = {};
  const all = { data, heard: undefined, ...start, isIn: () => false };
  const declared = dataIn(scxml);
  const isLate = scxml.attributes.binding === 'late';
  for (const { id } of declared) data[id] = undefined;
  const errors = declared.filter(({ id, element, isOfDocument }) => {
    const value = () => (isOfDocument && id in input ? input[id] : valueOfData(element, all));
    const isBound = isOfDocument || !isLate;
    return isBound && !isGood(() => Object.assign(data, { [id]: value() }));
  });
  const failed = childrenNamed(scxml, 'script').filter(({ text }) => !isGood(() => run(text, all)));
  return { data, ...start, sent: 0, errors: errors.length + failed.length };
}

function isGood(steps: () => unknown): boolean {
  try {
    steps();
    return true;
  } catch {
    return false;
  }
}

function valueOfData({ attributes: { expr }, text }: Element, all: Surroundings): unknown {
  if (expr !== undefined) return evaluate(expr, all);
  return text.trim() === '' ? undefined : valueOfText(text, all);
}

function dataIn(
  element: Element,
  isOfDocument = true,
): { id: string; element: Element; isOfDocument: boolean }[] {
  const own = childrenNamed(element, 'datamodel').flatMap(({ children }) => children);
  for (const { attributes } of own)
    if (attributes.src !== undefined) throw new Unconvertible('data from a file that cannot be loaded');
  return [
    ...own.map((each) => ({ id: each.attributes.id ?? '', element: each, isOfDocument })),
    ...childrenNamed(element, 'state', 'parallel', 'final').flatMap((state) => dataIn(state, false)),
  ];
}

function stateOf(element: Element, id: string): Record<string, unknown> {
  const states = childrenNamed(element, ...STATES).map(
    (state, index) => [keyOf(state.attributes.id ?? `${id}${index}`), state] as const,
  );
  const inner = Object.fromEntries(states.map(([key, state]) => [key, stateOf(state, key)]));
  const initial = element.name === 'parallel' || states.length === 0 ? {} : initialOf(element, id, inner);
  const blocks = (name: string) => childrenNamed(element, name).map(({ children }) => blockOf(children));
  return {
    id,
    ...(element.name === 'parallel' && { type: 'parallel' }),
    ...(element.name === 'final' && { type: 'final', ...outputOf(element) }),
    ...(element.name === 'history' && historyOf(element)),
    ...(states.length > 0 && { states: inner }),
    ...initial,
    ...(element.name !== 'history' && transitionsOf(element)),
    entry: [
      ...lateData(element, id),
      ...blocks('onentry'),
      ...errorsOfOutput(element),
      ...idsOfInvokes(element, id),
    ],
    exit: blocks('onexit'),
    invoke: childrenNamed(element, 'invoke').map((invoke, index) => invokeOf(invoke, `${id}.${index}`)),
  };
}

/** xstate begins in a child of the state, in one alone: for others it begins in a state that goes there at once. */
function initialOf(element: Element, id: string, inner: Record<string, unknown>): object {
  const [transition] = childrenNamed(element, 'initial').flatMap(({ children }) => children);
  const [first = ''] = Object.keys(inner);
  const wanted = idsIn(transition?.attributes.target ?? element.attributes.initial).map(keyOf);
  const [target = first, ...others] = wanted;
  const actions = transition ? [blockOf(transition.children)] : [];
  const isChild = others.length === 0 && target in inner;
  if (isChild) return { initial: { target, actions } };
  const begin = `${id}$begin`;
  inner[begin] = { id: begin, always: { target: wanted.map((each) => `#${each}`), actions } };
  return { initial: begin };
}

function historyOf(element: Element): object {
  const [transition] = childrenNamed(element, 'transition');
  if (transition && transition.children.length > 0)
    throw new Unconvertible('executable content in the default transition of a history state');
  const targets = targetsOf(transition?.attributes.target);
  return {
    type: 'history',
    history: element.attributes.type ?? 'shallow',
    ...(targets.length > 0 && { target: targets }),
  };
}

function transitionsOf(element: Element): object {
  const all = childrenNamed(element, 'transition');
  const [always, named] = [false, true].map((hasEvent) =>
    all
      .filter(({ attributes }) => (attributes.event !== undefined) === hasEvent)
      .map((transition) => transitionOf(transition, element)),
  );
  return { always, on: { '*': named } };
}

/** Only a transition from a compound state to states within it is internal, also where another one says so. */
function isInternal({ attributes }: Element, source: Element): boolean {
  const within = new Set(descendantsOf(source).map((state) => state.attributes.id));
  const isCompound = source.name !== 'parallel' && within.size > 0;
  return (
    attributes.type === 'internal' && isCompound && idsIn(attributes.target).every((id) => within.has(id))
  );
}

const descendantsOf = (element: Element): Element[] =>
  childrenNamed(element, ...STATES).flatMap((state) => [state, ...descendantsOf(state)]);

function transitionOf(transition: Element, source: Element): object {
  const { attributes, children } = transition;
  const { event, cond } = attributes;
  const target = targetsOf(attributes.target);
  const names = idsIn(event).map((name) => name.replace(/\.\*?$/, ''));
  const takes = (name: string) =>
    names.some((each) => each === '*' || name === each || name.startsWith(`${each}.`));
  // A guard of its own kind is given the snapshot, which `In` asks.
  const check = (snapshot: AnyMachineSnapshot, args: Args) => {
    const heard = heardOf(args.event);
    if (event !== undefined && !(heard && takes(heard.name.replaceAll('$', '.')))) return false;
    return cond === undefined || isTrue(cond, around(args, snapshot));
  };
  const isGuarded = event !== undefined || cond !== undefined;
  return {
    ...(target.length > 0 && { target, reenter: !isInternal(transition, source) }),
    ...(isGuarded && { guard: Object.assign(() => false, { check }) }),
    actions: [blockOf(children)],
  };
}

function isTrue(cond: string, within: Surroundings): boolean {
  try {
    return Boolean(evaluate(cond, within));
  } catch {
    return false;
  }
}

function outputOf(element: Element): object {
  const [donedata] = childrenNamed(element, 'donedata');
  if (!donedata) return {};
  return {
    output: (args: Args) => {
      const output: { value?: unknown } = {};
      isGood(() => Object.assign(output, { value: payloadOf(donedata, around(args)) }));
      return output.value;
    },
  };
}

/** An output of xstate cannot tell of its errors: the state's entry does. */
function errorsOfOutput(element: Element): object[] {
  return childrenNamed(element, 'donedata').map((donedata) =>
    enqueueActions(({ context, enqueue, event }) => {
      if (!isGood(() => payloadOf(donedata, around({ context, event })))) enqueue.raise(failure as never);
    }),
  );
}

const failure = { type: 'error.execution', scxml: { type: 'platform' } };

/** With late binding the data of a state has its value from its first entry on. */
function lateData(element: Element, id: string): object[] {
  const data = childrenNamed(element, 'datamodel').flatMap(({ children }) => children);
  if (data.length === 0 || id === 'document') return [];
  return [
    enqueueActions(({ context, enqueue, event }) => {
      const within = around({ context, event });
      for (const each of data) within.data[each.attributes.id ?? ''] ??= valueOfData(each, within);
      enqueue.assign({ data: within.data } as never);
    }),
  ];
}

/** Where a document wants to have the id of what it invokes. */
function idsOfInvokes(element: Element, state: string): object[] {
  return childrenNamed(element, 'invoke').flatMap(({ attributes }, index) => {
    const { idlocation, id = `${state}.${index}` } = attributes;
    if (idlocation === undefined) return [];
    return enqueueActions(({ context, enqueue, event }) => {
      const within = around({ context, event });
      assignTo(idlocation, id, within);
      enqueue.assign({ data: within.data } as never);
    });
  });
}

function invokeOf(element: Element, generated: string): object {
  const { attributes } = element;
  const [content] = childrenNamed(element, 'content').flatMap(({ children }) => children);
  for (const name of ['srcexpr', 'typeexpr', 'autoforward'])
    if (attributes[name] !== undefined) throw new Unconvertible(`an invoke with ${name}: xstate has none`);
  if (childrenNamed(element, 'finalize').length > 0) throw new Unconvertible('finalize: xstate has none');
  if (!content || !INVOKED.includes(attributes.type ?? 'scxml'))
    throw new Unconvertible('an invoke of something that is not a document of SCXML in the same file');
  return {
    id: attributes.id ?? generated,
    src: machineOf(content),
    input: (args: Args) => payloadOf({ ...element, children: childrenNamed(element, 'param') }, around(args)),
  };
}
