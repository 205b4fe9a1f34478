// Executable content of SCXML as one action of xstate for each block: an error in a block ends that block alone.
import { type AnyMachineSnapshot, type EventObject, enqueueActions, stateIn } from 'xstate';
import {
  assignTo,
  type Data,
  evaluate,
  type Heard,
  PROCESSOR,
  run,
  type Surroundings,
  valueOfText,
} from './data-model.ts';
import { childrenNamed, type Element, Unconvertible } from './element.ts';

export interface Context {
  readonly processors: object;
  readonly data: Data;
  readonly sessionId: string;
  readonly name: string;
  /** How many events it has sent, for those that are named by their number. */
  readonly sent: number;
  /** Of the data's expressions. */
  readonly errors: number;
}

/** An event of xstate as a document sends it. */
export interface Sent extends EventObject {
  readonly data?: unknown;
  readonly scxml?: Omit<Heard, 'name' | 'data'>;
}

/** The same object for the same event: documents compare them. */
const heard = new WeakMap<EventObject, Heard>();

export function heardOf(event: EventObject): Heard | undefined {
  if (event.type === 'xstate.init') return undefined;
  const known = heard.get(event) ?? { ...unknown, ...named(event) };
  heard.set(event, known);
  return known;
}

const unknown = {
  sendid: undefined,
  origin: undefined,
  origintype: undefined,
  invokeid: undefined,
  data: undefined,
};

function named(event: EventObject & Partial<Sent> & { output?: unknown }): Heard {
  const { type, data, output, scxml } = event;
  const [, kind, id = ''] = /^xstate\.(done\.state|done\.actor|error\.actor)\.(.*)$/.exec(type) ?? [];
  if (kind === 'done.state') return { name: `done.state.${id}`, type: 'internal', data: output };
  if (kind === 'done.actor')
    return { name: `done.invoke.${id}`, type: 'external', data: output, invokeid: id };
  if (kind === 'error.actor') return { name: 'error.communication', type: 'platform', invokeid: id };
  return { type: 'external', ...scxml, name: type, data };
}

export function isIn(snapshot: AnyMachineSnapshot, id: string): boolean {
  return snapshot._nodes.some((node) => node.id === id);
}

/** Of which a document knows one location, its own. */
const HTTP_PROCESSOR = 'http://www.w3.org/TR/scxml/#BasicHTTPEventProcessor';

/** As much of it as is used, for a machine of any types. */
interface Enqueue {
  assign(assignment: never): void;
  raise(event: never): void;
  sendTo(target: never, event: never, options: never): void;
  cancel(id: string): void;
}
type Self = Parameters<Parameters<typeof enqueueActions>[0]>[0]['self'];

interface Block {
  readonly enqueue: Enqueue;
  readonly self: Self;
  readonly around: Surroundings;
  readonly sent: { count: number };
}

/** One action for the elements of one handler or transition. */
export function blockOf(elements: readonly Element[]) {
  for (const element of elements) convertible(element);
  return enqueueActions(({ context, event, enqueue, check, self }) => {
    const { data, sessionId, name, processors, sent } = context as unknown as Context;
    const isNow = (id: string) => check(stateIn(`#${id}`) as never);
    const block: Block = {
      ...{ enqueue, self, sent: { count: sent } },
      around: { data: { ...data }, heard: heardOf(event), sessionId, name, processors, isIn: isNow },
    };
    attempt(block, () => execute(elements, block));
    enqueue.assign({ data: block.around.data, sent: block.sent.count } as never);
  });
}

function attempt(block: Block, steps: () => void): void {
  try {
    steps();
  } catch {
    raiseError('error.execution', block);
  }
}

function raiseError(type: string, { enqueue }: Block, sendid?: string): void {
  const scxml = { type: 'platform', ...(sendid !== undefined && { sendid }) };
  enqueue.raise({ type, scxml } as never);
}

function execute(elements: readonly Element[], block: Block): void {
  for (const element of elements) executors[element.name]?.(element, block);
}

const executors: Readonly<Record<string, (element: Element, block: Block) => void>> = {
  raise: ({ attributes }, { enqueue }) =>
    enqueue.raise({ type: attributes.event, scxml: { type: 'internal' } } as never),
  log: ({ attributes }, { around }) => void (attributes.expr && evaluate(attributes.expr, around)),
  assign: ({ attributes, text }, { around }) => {
    const value =
      attributes.expr === undefined ? valueOfText(text, around) : evaluate(attributes.expr, around);
    assignTo(attributes.location ?? '', value, around);
  },
  script: ({ text }, { around }) => void run(text, around),
  if: (element, block) => {
    const [branch = []] = branchesOf(element)
      .filter(({ cond }) => cond === undefined || evaluate(cond, block.around))
      .map(({ content }) => content);
    execute(branch, block);
  },
  foreach: ({ attributes, children }, block) => {
    const { data } = block.around;
    const { item = '', index, array = '' } = attributes;
    const items = evaluate(array, block.around);
    if (typeof items !== 'object' || items === null) throw new TypeError(`${array} is not an array`);
    if (![item, index ?? item].every((name) => /^[A-Za-z_$][\w$]*$/.test(name)))
      throw new TypeError(`${item} is not a variable`);
    for (const [at, value] of Object.entries(items as object)) {
      data[item] = value;
      if (index !== undefined) data[index] = Number(at);
      execute(children, block);
    }
    data[item] ??= undefined;
  },
  cancel: ({ attributes }, { enqueue, around }) => {
    const { sendid, sendidexpr } = attributes;
    enqueue.cancel(sendid ?? String(evaluate(sendidexpr ?? '', around)));
  },
  send: (element, block) => send(element, block),
};

function branchesOf({ attributes, children }: Element): { cond: string | undefined; content: Element[] }[] {
  const branches = [{ cond: attributes.cond, content: [] as Element[] }];
  for (const child of children)
    if (child.name === 'elseif' || child.name === 'else')
      branches.push({ cond: child.attributes.cond, content: [] });
    else branches.at(-1)?.content.push(child);
  return branches;
}

function send(element: Element, block: Block): void {
  const { enqueue, self, around, sent } = block;
  const { attributes } = element;
  const attribute = (name: string) => {
    const expression = attributes[`${name}expr`];
    return expression === undefined ? attributes[name] : (evaluate(expression, around) as string);
  };
  sent.count += 1;
  const { idlocation } = attributes;
  const sendid = attributes.id ?? (idlocation === undefined ? undefined : `send ${sent.count}`);
  if (idlocation !== undefined) assignTo(idlocation, sendid, around);
  const type = attribute('type') ?? PROCESSOR;
  if (![PROCESSOR, 'scxml', HTTP_PROCESSOR].includes(type)) {
    raiseError('error.execution', block, sendid);
    throw new TypeError(`${type} is not an event processor`);
  }
  const target = attribute('target');
  const isToParent = target === '#_parent';
  const scxml = {
    type: target === '#_internal' ? 'internal' : 'external',
    ...(target !== '#_internal' && { origin: `#_scxml_${around.sessionId}`, origintype: PROCESSOR }),
    ...(isToParent && { invokeid: self.id }),
    ...(sendid !== undefined && { sendid }),
  };
  const event = { type: String(attribute('event')), data: payloadOf(element, around), scxml } as never;
  const delay = millisecondsOf(attribute('delay'));
  const timing = { ...(delay > 0 && { delay }), ...(sendid !== undefined && { id: sendid }) };
  const isToItself = target === undefined || target === `#_scxml_${around.sessionId}`;
  if (!isToItself && !target.startsWith('#_')) {
    raiseError('error.execution', block, sendid);
    throw new TypeError(`${target} is not a target`);
  }
  const child = (self.getSnapshot() as Partial<AnyMachineSnapshot>).children?.[(target ?? '').slice(2)];
  if (target === '#_internal') enqueue.raise(event);
  else if (isToItself) enqueue.sendTo(self as never, event, timing as never);
  else if (isToParent && (self as { _parent?: unknown })._parent)
    enqueue.sendTo('#_parent' as never, event, timing as never);
  else if (child) enqueue.sendTo(child as never, event, timing as never);
  else raiseError('error.communication', block, sendid);
}

/** Of `param`, `namelist` and `content`. */
export function payloadOf(element: Element, around: Surroundings): unknown {
  const [content] = childrenNamed(element, 'content');
  if (content) {
    const { expr } = content.attributes;
    return expr === undefined ? valueOfText(content.text, around) : evaluate(expr, around);
  }
  const names = (element.attributes.namelist ?? '').split(/\s+/).filter(Boolean);
  const params = childrenNamed(element, 'param');
  if (names.length + params.length === 0) return undefined;
  return Object.fromEntries([
    ...names.map((name) => [name, evaluate(name, around)] as const),
    ...params.map(({ attributes: { name = '', expr, location } }) => [
      name,
      evaluate(expr ?? location ?? 'undefined', around),
    ]),
  ]);
}

export function millisecondsOf(delay: string | number | undefined): number {
  if (delay === undefined || typeof delay === 'number') return delay ?? 0;
  const [, number = '0', unit] = /^\s*(\d*\.?\d+)\s*(ms|s)?\s*$/.exec(delay) ?? [];
  return Number(number) * (unit === 's' ? 1000 : 1);
}

function convertible({ name, attributes, children }: Element): void {
  if (!executors[name] && name !== 'else' && name !== 'elseif')
    throw new Unconvertible(`executable content of another kind: <${name}>`);
  if (name === 'script' && attributes.src !== undefined)
    throw new Unconvertible('a script that cannot be loaded');
  if (name === 'if' || name === 'foreach') children.forEach(convertible);
}
