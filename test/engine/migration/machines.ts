// Two machines, and a process that goes over from one to the other in virtual time.

import { type AnyStateMachine, emit, setup } from 'xstate';
import type { Rejection } from '../../../engine/commands.ts';
import type { Migrated, MigrationRequest } from '../../../engine/definition/migration-request.ts';
import type { MigrationResult, Plan } from '../../../engine/migration-plan.ts';
import {
  activity,
  childWorkflow,
  type Options as Declared,
  definitionOf,
  outbox,
} from '../fixtures/machine.ts';
import { PlayedMachine } from '../played-machine.ts';

/** The vocabulary that all machines of these tests have. */
const base = setup({
  actors: {
    charge: activity('charge'),
    refund: activity('refund'),
    Order: childWorkflow('Order', ['paid']),
  },
  delays: { soon: () => 1_000, atNoon: () => 100 },
});

type Config = Parameters<(typeof base)['createMachine']>[0];

export const machine = (config: object): AnyStateMachine =>
  base.createMachine({ id: 'm', ...config } as Config) as unknown as AnyStateMachine;

/** What the outside sees of a step. */
export const note = (what: string) => emit({ type: 'note', what });

interface Options {
  readonly plan?: Plan;
  readonly declared?: Declared;
  readonly context?: (before: unknown) => unknown;
  /** The state of an inline actor, by its new id. */
  readonly actor?: (id: string, before: unknown) => unknown;
}

/** A process of the first machine that may become one of the others: version 1 is the first. */
export class Migrating {
  readonly played: PlayedMachine;
  #updates = 0;

  constructor(
    machines: readonly AnyStateMachine[],
    { plan = {}, declared = {}, context, actor }: Options = {},
  ) {
    const migrates = ({ to, plan: more }: MigrationRequest) => {
      const found = machines[(to as number) - 1];
      if (!found) throw new TypeError(`there is no version ${String(to)}`);
      return {
        definition: definitionOf(found, options),
        version: to as number,
        plan: { ...plan, ...more },
        ...(context && { context }),
        ...(actor && { actor }),
      };
    };
    const options: Declared = { outgoing: { outbox: outbox('note') }, migrates, ...declared };
    this.played = new PlayedMachine(machines[0] as AnyStateMachine, undefined, options);
  }

  request(to: number, more: Partial<MigrationRequest> = {}): MigrationRequest {
    return { semantics: 1, to, by: 'anna', why: 'a test', ...more };
  }

  result(to = 2, plan: Plan = {}): MigrationResult {
    return this.played.process.migrations.result(this.request(to, { plan }));
  }

  /** Throws the refusal. */
  migrate(to = 2, more: Partial<MigrationRequest> = {}, id = `update ${++this.#updates}`): Migrated {
    const request = this.request(to, more);
    const refusal = this.played.process.migrations.refusal(request, id);
    if (refusal) throw Object.assign(new Error(refusal.message), refusal);
    let refused: Rejection | undefined;
    let answered: unknown;
    this.played.process.migrate(request, id, {
      answer: (value) => {
        answered = value;
      },
      refuse: (refusal) => {
        refused = refusal;
      },
    });
    this.played.process.drain();
    if (refused) throw Object.assign(new Error(refused.message), refused);
    return answered as Migrated;
  }

  get value(): unknown {
    return this.played.snapshot.value;
  }

  /** Since this was asked last. */
  notes(): string[] {
    return this.played.host
      .takeSent()
      .flatMap((sent) => (sent.to === 'outside' ? [(sent.event as unknown as { what: string }).what] : []));
  }

  /** Its own, by their events. */
  get timers(): Record<string, number> {
    return Object.fromEntries(this.played.process.timers.open.map(({ id, dueAt }) => [id, dueAt]));
  }

  get calls(): string[] {
    return this.played.host.calls.map(({ id, type }) => `${id}: ${type}`);
  }
}
