// Does one command for many processes: page by page at a pace, with an outcome for each. It survives every kill: the activity goes
// on where it was, and knows what it has asked.
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type {
  BatchActivities,
  BatchControl,
  BatchInput,
  BatchItem,
  BatchOutcome,
  BatchPhase,
  BatchStatus,
  ControlName,
  OutcomePage,
  OutcomesWanted,
  SavedBatch,
} from '../contract/flows/batches.ts';
import { partsAmong } from '../flows/language/part-keys.ts';
import { shownAsText } from '../shared/markdown/shown-as-text.ts';
import { type Controlled, listenToControl, phaseAfter } from './batch-control.ts';

const outcomesQuery = defineQuery<OutcomePage, [OutcomesWanted]>('outcomes');

const { actOnProcesses } = proxyActivities<BatchActivities>({
  startToCloseTimeout: '30 minutes',
  // So soon does another worker go on where one has died.
  heartbeatTimeout: '10 s',
  retry: { initialInterval: '1 s', maximumInterval: '1 minute' },
});

// As many as are asked in some seconds: between two pages it can be paused.
const PAGE_SECONDS = 2.5;
const MIN_PAGE = 10;
const MAX_PAGE = 200;

/** So often is a process asked that does not answer. */
const MAX_SWEEPS = 3;
const COME_BACK_AFTER = '10 s';

export async function Batch(input: BatchInput, saved?: SavedBatch): Promise<BatchStatus> {
  const batch = new RunningBatch(input, saved);
  listenToControl(batch);
  setHandler(outcomesQuery, (wanted) => batch.page(wanted));
  const result = await batch.run();
  await condition(allHandlersFinished);
  return result;
}

class RunningBatch implements Controlled<BatchStatus> {
  readonly #input: BatchInput;
  /** By the key of the process. */
  readonly #outcomes: Map<string, BatchOutcome>;
  #phase: BatchPhase = 'running';
  #control: BatchControl | undefined;
  #sweep: number;

  constructor(input: BatchInput, { outcomes, sweep, control }: SavedBatch = { outcomes: [], sweep: 1 }) {
    this.#input = input;
    this.#outcomes = new Map(outcomes.map((each) => [each.key, each]));
    this.#control = control;
    this.#sweep = sweep;
    this.#show();
  }

  get status(): BatchStatus {
    const counts = { done: 0, refused: 0, unknown: 0 };
    for (const { outcome } of this.#outcomes.values()) counts[outcome] += 1;
    const control = this.#control && { control: this.#control };
    return { phase: this.#phase, total: this.#input.keys.length, ...counts, ...control };
  }

  control(control: BatchControl & { readonly what: ControlName }): void {
    this.#control = control;
    this.#begin(phaseAfter[control.what]);
  }

  page({ from, size, only }: OutcomesWanted): OutcomePage {
    const all = [...this.#outcomes.values()].filter(({ outcome }) => only === undefined || outcome === only);
    return { outcomes: all.slice(from, from + size), next: from + size < all.length ? from + size : null };
  }

  async run(): Promise<BatchStatus> {
    const { keys, fieldsOfEach: _, undoes: __, ...command } = this.#input;
    const { workflowId, firstExecutionRunId } = workflowInfo();
    const id = `${workflowId}/${firstExecutionRunId}`;
    const size = Math.max(MIN_PAGE, Math.min(MAX_PAGE, Math.round(command.rate * PAGE_SECONDS)));
    const items = this.#items();
    let left: readonly BatchItem[] = [...items.values()].filter(({ key }) => !this.#outcomes.has(key));
    for (;;) {
      await condition(() => this.#phase !== 'paused');
      if (this.#isCancelled()) return this.status;
      if (workflowInfo().continueAsNewSuggested) await this.#continueAsNew();
      if (left.length === 0) left = await this.#unknownAgain(items);
      if (left.length === 0 && !this.#isCancelled()) break;
      const page = left.slice(0, size);
      left = left.slice(size);
      for (const each of await actOnProcesses({ command, id, items: page }))
        this.#outcomes.set(each.key, each);
      this.#show();
    }
    this.#begin('done');
    return this.status;
  }

  /** By the key of the process. */
  #items(): ReadonlyMap<string, BatchItem> {
    const { keys, fieldsOfEach = [] } = this.#input;
    const partsOf = partsAmong(keys);
    return new Map(
      keys.map((key, at) => {
        const fields = fieldsOfEach[at];
        const parts = partsOf.get(key);
        return [key, { key, ...(fields && { fields }), ...(parts && { parts }) }];
      }),
    );
  }

  #isCancelled = (): boolean => this.#phase === 'cancelled';

  /** Those that have not answered, some time later; none once each has been asked often enough. */
  async #unknownAgain(items: ReadonlyMap<string, BatchItem>): Promise<readonly BatchItem[]> {
    const unknown = [...this.#outcomes.values()].flatMap((each) =>
      each.outcome === 'unknown' ? { ...items.get(each.key), key: each.key, request: each.request } : [],
    );
    if (unknown.length === 0 || this.#sweep >= MAX_SWEEPS) return [];
    this.#sweep += 1;
    if (this.#sweep > 1) await condition(() => this.#phase !== 'running', COME_BACK_AFTER);
    return unknown;
  }

  #continueAsNew(): Promise<never> {
    const { keys, fieldsOfEach } = this.#input;
    const isDone = (at: number) => this.#outcomes.get(keys[at] ?? '')?.outcome === 'done';
    // With what has become of each they may be too large for Temporal.
    const left = fieldsOfEach?.map((fields, at) => (isDone(at) ? null : fields));
    return continueAsNew<typeof Batch>(left ? { ...this.#input, fieldsOfEach: left } : this.#input, {
      outcomes: [...this.#outcomes.values()],
      sweep: this.#sweep,
      control: this.#control,
    });
  }

  #begin(phase: BatchPhase): void {
    this.#phase = phase;
    this.#show();
  }

  #show(): void {
    const { command, who } = this.#input;
    const { phase, total, done, refused, unknown } = this.status;
    const { by, onBehalfOf = by, why = '' } = who;
    setCurrentDetails(
      [
        `**${shownAsText(command)} for ${total} processes: ${phase}**, by ${shownAsText(onBehalfOf)}: ${shownAsText(why)}`,
        `- ${done} done, ${refused} refused, ${unknown} without an answer, ${total - done - refused - unknown} left`,
      ].join('\n'),
    );
  }
}
