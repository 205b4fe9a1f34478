// What a process tells after each step: its parent, if that listens, and the outside. Both hear the difference from the
// snapshot at the step before.
import type { CancellationScope } from '@temporalio/workflow';
import type { AnyMachineSnapshot } from 'xstate';
import type { Awaited, Complete } from '../definition.ts';
import type { Outbox } from './outbox.ts';
import type { Parent } from './parent.ts';

export class Tellings {
  readonly #definition: Complete;
  readonly #to: { readonly parent: Parent; readonly outbox: Outbox };
  readonly #shield: () => CancellationScope;
  #told: AnyMachineSnapshot | null;

  /** `told` is null at the start; a continued run gets the snapshot that it begins with, which the former one has told. */
  constructor(
    definition: Complete,
    to: { readonly parent: Parent; readonly outbox: Outbox },
    shield: () => CancellationScope,
    told: AnyMachineSnapshot | null,
  ) {
    this.#definition = definition;
    this.#to = to;
    this.#shield = shield;
    this.#told = told;
  }

  tell(now: AnyMachineSnapshot, awaited: Awaited): void {
    const { news, tells } = this.#definition;
    const { parent, outbox } = this.#to;
    if (news && parent.listening) {
      const brought = news(this.#told, now, awaited);
      if (brought.length > 0) void this.#shield().run(async () => parent.tell(brought));
    }
    for (const event of tells?.(this.#told, now) ?? []) outbox.add(event);
    this.#told = now;
  }
}
