// What differs between two versions of a declared flow, and what would become of the processes that run: by their state, as far
// as the two declarations say it. It asks no process.
import { type AnyStateMachine, createMachine } from 'xstate';
import type { Role } from '../../contract/flows/flow-input.ts';
import { pathOf } from '../../engine/chart/chart-view.ts';
import { type StateVerdict, uncertain, verdictsByState } from '../../engine/migration/by-state.ts';
import type { Layout } from '../../engine/migration/layout.ts';
import type { Obstacle, Plan } from '../../engine/migration/plan.ts';
import { type Declaration, type Leg, rolesOf, type Versions } from '../../flows/built-in/declaration.ts';
import { flows } from '../../flows/built-in/flows.ts';
import { type Change, change, howOf } from '../../flows/language/diff/change.ts';
import { isSame } from '../../flows/language/diff/compared.ts';
import { type Comparison, comparison } from '../../flows/language/diff/flow-diff.ts';
import { fieldChanges } from '../../flows/language/diff/invoke-changes.ts';
import {
  type FlowFile,
  type InvokeData,
  invokeIdOf,
  type JsonObject,
  type StateData,
} from '../../flows/language/flow-file.ts';
import { shipmentChart } from '../shipments/chart.ts';

/** Those that this checkout has, by number; undefined: the flow has no declaration. */
export const declarationsOf = (flow: string): Versions | undefined =>
  (flows as Readonly<Record<string, Versions>>)[flow];

export interface DeclarationDiff {
  readonly flow: string;
  /** By the fields of the declarations. */
  readonly changes: readonly Change[];
  readonly states: readonly StateVerdict[];
  /** The charts that are made of them. */
  readonly charts: Comparison;
}

export function declarationDiff(before: Declaration, after: Declaration, plan: Plan = {}): DeclarationDiff {
  const charts = comparison(chartFile(before), chartFile(after), undefined, machineOf);
  const { old, now } = charts.compared;
  return {
    flow: after.name,
    changes: changesOf(before, after),
    charts,
    states: verdictsByState(old.machine, now.machine, plan, {
      // All of them are computed, and none of them fails: two of the same name are as long.
      lengthOf: () => 0,
      doubtsOf: (layout) => legDoubts(before, after, layout),
    }),
  };
}

function changesOf(before: Declaration, after: Declaration): Change[] {
  const { legs: _, ...was } = before;
  const { legs: __, ...is } = after;
  const roles = [...new Set([...rolesOf(before), ...rolesOf(after)])];
  return [
    ...fieldsBetween('', was, is),
    ...roles.flatMap((role) => {
      const [one, other] = [before.legs[role], after.legs[role]];
      if (one && other) return fieldsBetween(role, one, other);
      return [change('leg', one ? 'removed' : 'added', role)];
    }),
  ];
}

const fieldsBetween = (state: string, before: object, after: object): Change[] =>
  fieldChanges(before as JsonObject, after as JsonObject).map(([name, one, other]) =>
    change('declared', howOf(one, other), state, { name, before: one ?? null, after: other ?? null }),
  );

/** In the form of a flow file, with which it shares all that is compared: functions have names there. */
const chartFile = (declared: Declaration): FlowFile => ({
  ...asState(shipmentChart(declared) as unknown as StateData, []),
  name: declared.name,
  meaning: declared.meaning,
});

const machineOf = ({ name, meaning: _, ...chart }: FlowFile): AnyStateMachine =>
  createMachine({ ...chart, id: name } as object);

function asState({ states, invoke, ...state }: StateData, path: readonly string[]): StateData {
  const inner = Object.entries(states ?? {}).map(([key, each]) => [key, asState(each, [...path, key])]);
  const named = invoke as InvokeData | undefined;
  return {
    ...withActions(state),
    ...(named && { invoke: { ...withActions(named), id: invokeIdOf(named, path, 0) } }),
    ...(states && { states: Object.fromEntries(inner) }),
  };
}

/** An action without params may be its name alone. */
const withActions = <Part extends object>(part: Part): Part =>
  JSON.parse(JSON.stringify(part), (key, value: unknown) => {
    if (!['actions', 'entry', 'exit'].includes(key)) return value;
    return [value].flat().map((each) => (typeof each === 'string' ? { type: each } : each));
  }) as Part;

/** Whether a leg is over follows from all that its shipment has been through. */
function legDoubts(before: Declaration, after: Declaration, { nodes }: Layout): Obstacle[] {
  const changed = rolesOf(after).filter((role) => {
    const [one, other] = [before.legs[role], after.legs[role]];
    return one && other && !isSame(endOf(one), endOf(other));
  });
  const active = [...nodes].map(pathOf);
  return changed
    .filter((role) => active.includes(`following.${role}`))
    .map((role: Role) =>
      uncertain(
        'FinalChanged',
        `following.${role}`,
        `the leg ${role} is done in other states now: it may be over in one version and open in the other, by the states that its shipment has been in`,
      ),
    );
}

const endOf = ({ done, keptBookedBy }: Leg) => ({ done, keptBookedBy });
