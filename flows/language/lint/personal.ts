// Checks texts that everybody reads who may read processes: those of questions, the keys of locks, failures. They should not be
// made of what an operation tells of a person. A help for authors, and no guard: what a flow hands to another one is not
// followed.
import type { ActionData, FlowFile, Json, JsonObject } from '../flow-file.ts';
import { isMap } from '../reading/report.ts';
import {
  invokesOf,
  listedActions,
  type Node,
  sourcesIn,
  textsIn,
  transitionsOf,
  workOf,
} from '../reading/walk.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';
import type { Reach } from './reach.ts';

/** The operations that answer with names and addresses of a person. */
const TELL_OF_PEOPLE: ReadonlySet<string> = new Set(['CreateAccount', 'CreateOrGetAccount', 'GetAccount']);
/** What of these answers tells nothing about the person. */
const PLAIN = /^(?:\w*[uU]id|is[A-Z]\w*|can[A-Z]\w*)$/;

/** What each shows of its input. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  ask: ['of', 'question', 'fields'],
  lock: ['key'],
  rate: ['key'],
};

export function personalFindings({ nodes }: Reach): PlacedFinding[] {
  const personal = personalInvokes(nodes);
  if (personal.size === 0) return [];
  const actions = nodes.flatMap((node) => actionsBy(node, personal));
  const fields = personalFields(actions);
  return [
    ...actions.flatMap(({ node, action: { type, params = {} }, at, isOfPerson }) =>
      type === 'fail' && !isMeant(node.state.meta)
        ? ['code', 'message'].flatMap((name) =>
            findings(params[name], [...at, 'params', name], { fields, isOfPerson }),
          )
        : [],
    ),
    ...nodes.flatMap((node) => shownBy(node, fields)),
  ];
}

const personalInvokes = (nodes: readonly Node[]): ReadonlySet<string> =>
  new Set(
    nodes
      .flatMap(invokesOf)
      .filter((each) => TELL_OF_PEOPLE.has(workOf(each).invoke.src))
      .map(({ id }) => id),
  );

interface ActionOf {
  readonly node: Node;
  readonly action: ActionData;
  readonly at: PlacedFinding['at'];
  /** Whether its event may be the answer of such an operation. */
  readonly isOfPerson: boolean;
}

function actionsBy(node: Node, personal: ReadonlySet<string>): ActionOf[] {
  const { state, at } = node;
  const of = (isOfPerson: boolean) => (each: { action: ActionData; at: PlacedFinding['at'] }) => ({
    node,
    isOfPerson,
    ...each,
  });
  return [
    // The answer may be the event by which the state is entered.
    ...listedActions(state.entry, [...at, 'entry']).map(of(true)),
    ...listedActions(state.exit, [...at, 'exit']).map(of(true)),
    ...transitionsOf(node).flatMap(({ trigger, transition, at: place }) =>
      listedActions(transition.actions, [...place, 'actions']).map(
        of(trigger.kind === 'invokeDone' ? personal.has(trigger.id) : trigger.kind !== 'on'),
      ),
    ),
  ];
}

/** The fields of the context that hold what an operation has told of a person, also by way of others. */
function personalFields(actions: readonly ActionOf[]): ReadonlySet<string> {
  const assigned = actions
    .filter(({ action }) => action.type === 'assign')
    .flatMap(({ action: { params = {} }, isOfPerson }) =>
      Object.entries(params).map(([field, value]) => ({ field, value, isOfPerson })),
    );
  const fields = new Set<string>();
  let before = -1;
  while (before < fields.size) {
    before = fields.size;
    for (const { field, value, isOfPerson } of assigned)
      if (personalSource(value, { fields, isOfPerson }) !== undefined) fields.add(field);
  }
  return fields;
}

function shownBy(node: Node, fields: ReadonlySet<string>): PlacedFinding[] {
  return invokesOf(node).flatMap((each) => {
    if (isMeant(each.invoke.meta)) return [];
    const { invoke, at } = workOf(each);
    const { of: items } = (isMap(each.invoke.input) ? each.invoke.input : {}) as { readonly of?: Json };
    const read = { fields, isOfPerson: true };
    const item = each.invoke.src === 'each' && personalSource(items, read) !== undefined;
    const input = (isMap(invoke.input) ? invoke.input : {}) as JsonObject;
    return (SHOWN[invoke.src] ?? []).flatMap((name) =>
      findings(input[name], [...at, 'input', name], { ...read, item }),
    );
  });
}

const isMeant = (meta: FlowFile['meta']): boolean => typeof meta?.personal === 'string';

interface Reading {
  readonly fields: ReadonlySet<string>;
  readonly isOfPerson: boolean;
  /** Whether `item` of an `each` tells of a person. */
  readonly item?: boolean;
}

function findings(value: Json | undefined, at: PlacedFinding['at'], reading: Reading): PlacedFinding[] {
  const source = personalSource(value, reading);
  return source === undefined ? [] : [lintFinding('PersonalShown', at, String(at.at(-1)), source)];
}

/** What tells of a person in the expressions of a value. */
function personalSource(value: Json | undefined, { fields, isOfPerson, item }: Reading): string | undefined {
  const isPersonal = ([variable, first, ...rest]: readonly string[]): boolean => {
    if (variable === 'item') return item === true && !isPlain(first, ...rest);
    if (variable === 'context')
      return first === undefined ? fields.size > 0 : fields.has(first) && !isPlain(...rest);
    return isOfPerson && (first === undefined || (first === 'output' && !isPlain(...rest)));
  };
  return textsIn(value).flatMap(sourcesIn).flatMap(pathsIn).find(isPersonal)?.join('.');
}

const isPlain = (...path: readonly (string | undefined)[]): boolean => PLAIN.test(path.at(-1) ?? '');

/** `context.person.name` as its parts; of `event.output.items.map(…)` those before the call. */
const pathsIn = (source: string): string[][] =>
  [...source.matchAll(/(?<![\w.])(?:context|event|item)\b(?:\.\??\w+\b(?!\())*/g)].map(([path]) =>
    path.split(/\.\??/),
  );
