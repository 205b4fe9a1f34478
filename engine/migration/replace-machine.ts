// The step that replaces the chart of a process, by xstate's public functions: what is left is left by a chart that does nothing
// else, what is new is entered by the new chart with one transition more.
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  and,
  createMachine,
  type EventObject,
  raise,
  type Snapshot,
  spawnChild,
  stopChild,
} from 'xstate';
import { enclosed, enclosureOf, MIGRATION_EVENT, nextStep, restored, type Step } from '../stepper.ts';
import { type MigrationMapping, valueIn } from './migration-mapping.ts';

export interface Replacement {
  readonly mapping: MigrationMapping;
  context(before: unknown): unknown;
  /** The input of an actor that goes on, by its new id. */
  input(id: string, before: unknown): unknown;
  /** Called with what a delay of the new chart is computed from. */
  measure(args: { readonly context: unknown; readonly event: EventObject }): void;
}

type Config = Readonly<Record<string, unknown>>;
interface PersistedSnapshot {
  readonly status: string;
  readonly context: unknown;
  readonly children: Readonly<Record<string, { readonly snapshot: object }>>;
}

export function replaceMachine(
  from: AnyMachineSnapshot,
  to: AnyStateMachine,
  replacement: Replacement,
): Step {
  const { mapping } = replacement;
  const left = step(leaving(from.machine, mapping), from, {});
  const { context, children, ...kept } = persisted(left.snapshot);
  const now = {
    ...kept,
    status: 'active',
    value: valueIn(mapping.nodes, to.root),
    context: replacement.context(context),
    children: Object.fromEntries(
      Object.entries(children).map(([id, child]) =>
        carried(mapping.invokes.get(id) ?? id, child, replacement),
      ),
    ),
    historyValue: Object.fromEntries(
      Object.entries(mapping.history).map(([id, nodes]) => [id, nodes.map((node) => ({ id: node.id }))]),
    ),
  };
  replacement.measure({ context: now.context, event: { type: MIGRATION_EVENT } });
  const entered = step(entering(to, mapping, left.raised), from, now);
  return {
    ...entered,
    snapshot: restored(to, persisted(entered.snapshot)),
    effects: [...left.effects, ...entered.effects],
  };
}

const persisted = (snapshot: AnyMachineSnapshot): PersistedSnapshot =>
  snapshot.machine.getPersistedSnapshot(snapshot as never) as unknown as PersistedSnapshot;

const step = (machine: AnyStateMachine, from: AnyMachineSnapshot, changed: object): Step =>
  nextStep(machine, restored(machine, { ...persisted(from), ...changed } as unknown as Snapshot<unknown>), {
    type: MIGRATION_EVENT,
  });

function carried(
  id: string,
  child: PersistedSnapshot['children'][string],
  { input }: Replacement,
): [string, object] {
  const { input: before } = child.snapshot as { readonly input?: unknown };
  return [id, { ...child, snapshot: { ...child.snapshot, input: input(id, before) ?? before } }];
}

const own = (actions: unknown): unknown[] => (actions === undefined ? [] : [actions].flat());

/** The old chart without a transition of its own: its `always` must not be taken on the way out. */
function leaving(machine: AnyStateMachine, { left, invokes, stopped }: MigrationMapping): AnyStateMachine {
  const actions = [...left]
    .sort((one, other) => other.order - one.order)
    .flatMap(({ config, invoke }) => [
      ...own(config.exit),
      ...invoke.filter(({ id }) => !invokes.has(id)).map(({ id }) => stopChild(id)),
    ]);
  const bare = ({
    on: _,
    always: __,
    after: ___,
    onDone: ____,
    invoke: _____,
    ...config
  }: Config): Config => ({
    ...config,
    ...inner(config, bare),
  });
  const all = [...actions, ...stopped.map((id) => stopChild(id))];
  return made(machine, { ...bare(machine.config as never), on: { [MIGRATION_EVENT]: { actions: all } } });
}

/** The new chart with the transition that enters it; no wildcard takes the event in its place. */
function entering(
  machine: AnyStateMachine,
  mapping: MigrationMapping,
  raised: readonly EventObject[],
): AnyStateMachine {
  const { nodes, entered, byDefault, completed, started } = mapping;
  const ongoing = new Set(mapping.invokes.values());
  const spawns = (invokes: AnyStateNode['invoke']) =>
    invokes.filter(({ id }) => !ongoing.has(id)).map((each) => spawnChild(each.src as never, each as never));
  const isSend = (action: unknown) => (action as { readonly type?: unknown }).type === 'xstate.sendTo';
  const initials = (node: AnyStateNode) => (byDefault.has(node) ? (node.initial?.actions ?? []) : []);
  const enter = (node: AnyStateNode): unknown[] => [
    ...node.entry.filter((action) => !isSend(action)),
    ...spawns(node.invoke),
    ...node.entry.filter(isSend),
    ...initials(node),
  ];
  const actions = [
    ...raised.map((event) => raise(event as never)),
    ...spawns(started as AnyStateNode['invoke']),
    ...[...entered].sort((one, other) => one.order - other.order).flatMap(enter),
    ...[...byDefault].filter((node) => !entered.includes(node)).flatMap(initials),
    ...completed.map((node) =>
      raise((({ context }: { context: unknown }) => completion(node, nodes, context)) as never),
    ),
  ];
  const config = unwild(machine.config as never);
  return made(machine, { ...config, on: { ...(config.on as object), [MIGRATION_EVENT]: { actions } } });
}

const isOther = ({ event }: { readonly event: EventObject }) => event.type !== MIGRATION_EVENT;

const unwild = (config: Config): Config => ({
  ...config,
  ...(config.on !== undefined && {
    on: Object.fromEntries(
      Object.entries(config.on as object).map(([type, taken]) => [
        type,
        type.endsWith('*') && taken !== undefined ? [taken].flat().map(unlessMigration) : taken,
      ]),
    ),
  }),
  ...inner(config, unwild),
});

function unlessMigration(transition: string | { readonly guard?: unknown }): object {
  if (typeof transition === 'string') return { target: transition, guard: isOther };
  const { guard } = transition;
  return { ...transition, guard: guard === undefined ? isOther : and([isOther, guard] as never) };
}

const inner = ({ states }: Config, make: (config: Config) => Config) =>
  states === undefined
    ? {}
    : {
        states: Object.fromEntries(
          Object.entries(states as object).map(([key, state]) => [key, make(state)]),
        ),
      };

const made = ({ implementations, ...machine }: AnyStateMachine, config: Config): AnyStateMachine =>
  enclosed(
    createMachine(config as never, implementations as never) as unknown as AnyStateMachine,
    enclosureOf(machine as AnyStateMachine),
  );

function completion(node: AnyStateNode, nodes: ReadonlySet<AnyStateNode>, context: unknown): EventObject {
  const { output } = [...nodes].find(({ parent, type }) => parent === node && type === 'final') ?? {};
  const value =
    typeof output === 'function'
      ? (output as (given: unknown) => unknown)({ context, event: { type: MIGRATION_EVENT } })
      : output;
  return {
    type: `xstate.done.state.${node.id}`,
    ...(value !== undefined && { output: value }),
  } as EventObject;
}
