// Every version of every definition can be built and started, and uses nothing that the engine cannot do. Only this
// test finds a wrong target, initial state or name.
// In a process of its own: the engine adds actions to the machines that it has run.

import { describe, expect, test } from 'vitest';
import { flowTypes } from '../../contract/flows/flow-types.ts';
import { callKindOf } from '../../engine/actor-kinds.ts';
import { nodesOf } from '../../engine/chart/messages.ts';
import { inlineActorOf } from '../../engine/inline-actor.ts';
import { firstStep } from '../../engine/stepper.ts';
import type { Workflow } from '../../engine/temporal/workflow.ts';
import { BOOK } from '../../flows/booking/booking-state.ts';
import * as workflows from '../../workflows/index.ts';

const definitions = Object.entries(workflows as Record<string, Partial<Workflow<unknown, unknown>>>).flatMap(
  ([name, { definitions: versions = {} }]) =>
    Object.entries(versions).map(([version, build]) => ({ name, version: Number(version), build })),
);

describe.each(definitions)('$name@$version', ({ name, version, build }) => {
  const start = { input: { request: {} }, flow: name, version, workflowId: 'w', firstExecutionRunId: 'r' };

  test.each([undefined, null, 'text', 7, [], {}, { request: null, deadlines: 'soon', waitForLocker: 5 }])(
    'started with %j it runs its first activity, and that refuses the input',
    (input) => {
      const definition = build();
      const started = { ...start, input: input ?? {} };
      const given = definition.input ? definition.input(started) : started;
      const { snapshot, effects } = firstStep(definition.machine, given);
      expect(effects).toContainEqual(expect.objectContaining({ do: 'begin' }));
      expect(definition.views.details(snapshot)).toContain(name);
      expect(() => JSON.stringify(definition.views.progress(snapshot, []))).not.toThrow();
    },
  );

  test('it invokes activities that the engine can schedule, described in words', () => {
    const { machine } = build();
    const invoked = nodesOf(machine.root).flatMap((node) => node.invoke);
    expect(invoked.length).toBeGreaterThan(0);
    for (const { src } of invoked) {
      const logic = machine.implementations.actors[src as string] as never;
      expect(inlineActorOf(logic)?.name ?? callKindOf(logic)).toBe(src === BOOK ? BOOK : 'activity');
    }
  });

  test('an endless loop in it is stopped', () => {
    expect(build().machine.options?.maxIterations).toBeGreaterThan(0);
  });
});

test('there is one workflow type for each flow', () => {
  expect(new Set(definitions.map(({ name }) => name))).toEqual(new Set(flowTypes));
});
