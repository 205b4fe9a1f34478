// Brings the running processes of a flow to another version: page by page, some of them first, at a pace, until none is left that
// can be brought there. It survives every kill: each process is asked under one update id, and twice is once.

import {
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { BatchControl, BatchPhase, ControlName } from '../contract/flows/batches.ts';
import type {
  FoundProcess,
  MigrationActivities,
  MigrationGroup,
  MigrationInput,
  MigrationStatus,
} from '../contract/flows/migrations.ts';
import { countOf, withOutcome } from '../flows/language/migration-groups.ts';
import { shownAsText } from '../shared/markdown/shown-as-text.ts';
import { type Controlled, listenToControl, phaseAfter } from './batch-control.ts';

const { migrateProcesses } = proxyActivities<MigrationActivities>({
  startToCloseTimeout: '30 minutes',
  // So soon does another worker go on where one has died.
  heartbeatTimeout: '10 s',
  retry: { initialInterval: '1 s', maximumInterval: '1 minute' },
});

const { processesToMigrate, haltedAfterMigration } = proxyActivities<MigrationActivities>({
  startToCloseTimeout: '10 s',
  retry: { initialInterval: '1 s', maximumInterval: '1 minute' },
});

// As many as are asked in some seconds: between two pages the batch looks around, and the workers have nothing to do.
const PAGE_SECONDS = 2.5;
const FEWEST_IN_A_PAGE = 50;
// A page is asked anew where its worker has died.
const MAX_PAGE = 200;

// The processes' own words of where they are come to the visibility store a little later.
const LOOK_AFTER = '5 s';

// For processes that have to leave a state behind first.
const COME_BACK_AFTER = '1 minute';

/** With fewer a share says little. */
const FEWEST_FOR_A_SHARE = 10;

/** Where it is, for a run that continues this one. */
interface SweepState {
  readonly status: MigrationStatus;
  readonly from: string | null;
  /** In this sweep. */
  readonly migratedInSweep: number;
  readonly haltedBefore: number;
  readonly isCanaryOver: boolean;
  readonly stopsByItself: boolean;
}

export async function Migration(input: MigrationInput, saved?: SweepState): Promise<MigrationStatus> {
  const migration = new RunningMigration(input, saved);
  listenToControl(migration);
  const result = await migration.run();
  await condition(allHandlersFinished);
  return result;
}

class RunningMigration implements Controlled<MigrationStatus> {
  readonly #input: MigrationInput;
  #saved: SweepState | undefined;
  #status: MigrationStatus;
  #stopsByItself: boolean;

  constructor(input: MigrationInput, saved: SweepState | undefined) {
    this.#input = input;
    this.#saved = saved;
    this.#stopsByItself = saved?.stopsByItself ?? true;
    this.#status = saved?.status ?? { phase: 'running', sweeps: 1, migrated: 0, groups: [] };
    this.#show();
  }

  get status(): MigrationStatus {
    return this.#status;
  }

  control(control: BatchControl & { readonly what: ControlName }): void {
    // A person has seen why it stopped, and wants the others all the same.
    if (control.what === 'resume') this.#stopsByItself &&= this.#status.phase !== 'stopped';
    this.#begin(phaseAfter[control.what], { control });
  }

  #begin(phase: BatchPhase, changed: Partial<MigrationStatus> = {}): MigrationStatus {
    const { stopped: _, ...others } = this.#status;
    this.#status = others;
    return this.#set({ ...changed, phase });
  }

  async run(): Promise<MigrationStatus> {
    const input = this.#input;
    let state: SweepState = this.#saved ?? {
      status: this.#status,
      from: null,
      migratedInSweep: 0,
      isCanaryOver: input.first === 0,
      stopsByItself: true,
      haltedBefore: await haltedAfterMigration(input),
    };
    for (;;) {
      await condition(() => this.#status.phase === 'running' || this.#isCancelled());
      if (this.#isCancelled()) return this.#status;
      if (workflowInfo().continueAsNewSuggested)
        await continueAsNew<typeof Migration>(input, {
          ...state,
          status: this.#status,
          stopsByItself: this.#stopsByItself,
        });
      state = await this.#page(state);
      if (state.from !== null) continue;
      if (state.migratedInSweep === 0 && !this.#hasToComeBack()) break;
      if (state.migratedInSweep === 0) await sleep(COME_BACK_AFTER);
      state = { ...state, migratedInSweep: 0 };
      // What the last sweep refused is asked again: so each process has one outcome, that of the last sweep.
      this.#set({ sweeps: this.#status.sweeps + 1, groups: [] });
    }
    return this.#isCancelled() ? this.#status : this.#begin('done');
  }

  async #page(before: SweepState): Promise<SweepState> {
    const input = this.#input;
    const fast = Math.min(MAX_PAGE, Math.round(input.rate * PAGE_SECONDS));
    const page = Math.max(FEWEST_IN_A_PAGE, fast);
    const size = before.isCanaryOver ? page : Math.min(page, input.first);
    const { processes, next } = await processesToMigrate({ input, size, from: before.from });
    const migrated = await this.#ask(processes);
    const isCanaryOver = before.isCanaryOver || this.#status.migrated >= input.first;
    if (isCanaryOver && !before.isCanaryOver) await sleep(LOOK_AFTER);
    await this.#stopIfBad(before);
    return { ...before, from: next, migratedInSweep: before.migratedInSweep + migrated, isCanaryOver };
  }

  async #ask(processes: readonly FoundProcess[]): Promise<number> {
    if (processes.length === 0) return 0;
    const { workflowId, firstExecutionRunId } = workflowInfo();
    const updateId = `${workflowId}/${firstExecutionRunId}`;
    const isLaterSweep = this.#status.sweeps > 1;
    const outcomes = await migrateProcesses({ input: this.#input, updateId, processes, isLaterSweep });
    const migrated = outcomes.filter(({ outcome }) => outcome === 'migrated').length;
    const others = outcomes.filter(({ outcome }) => outcome !== 'migrated' && outcome !== 'already');
    this.#set({
      migrated: this.#status.migrated + migrated,
      groups: others.reduce<readonly MigrationGroup[]>(withOutcome, this.#status.groups),
    });
    return migrated;
  }

  async #stopIfBad({ haltedBefore }: SweepState): Promise<void> {
    if (!this.#stopsByItself || this.#isCancelled()) return;
    const { migrated, groups } = this.#status;
    const { maxRefused } = this.#input;
    const refused = countOf(groups, ['refused', 'needsPlan']);
    const all = migrated + refused;
    const haltedNow = await haltedAfterMigration(this.#input);
    const halted = haltedNow - haltedBefore;
    if (all >= FEWEST_FOR_A_SHARE && refused / all > maxRefused)
      this.#set({ phase: 'stopped', stopped: `${refused} of ${all} processes were refused` });
    else if (halted > 0 && halted / Math.max(migrated, 1) > maxRefused)
      this.#set({ phase: 'stopped', stopped: `${halted} processes have halted on the new version` });
  }

  #isCancelled = (): boolean => this.#status.phase === 'cancelled';

  #hasToComeBack(): boolean {
    const { groups } = this.#status;
    return countOf(groups, ['unanswered']) > 0 || (this.#input.waits && countOf(groups, ['waits']) > 0);
  }

  #set(changed: Partial<MigrationStatus>): MigrationStatus {
    this.#status = { ...this.#status, ...changed };
    this.#show();
    return this.#status;
  }

  #show(): void {
    const { flow, to, by, why } = this.#input;
    const { phase, stopped, migrated, groups, sweeps } = this.#status;
    setCurrentDetails(
      [
        `**${shownAsText(flow)} to version ${to}: ${phase}**${stopped ? ` (${shownAsText(stopped)})` : ''}, by ${shownAsText(by)}: ${shownAsText(why)}`,
        `- ${migrated} migrated, in sweep ${sweeps}`,
        ...groups.map(
          ({ count, outcome, at, reason }) =>
            `- ${count} ${outcome} ${shownAsText(at)}: ${shownAsText(reason)}`,
        ),
      ].join('\n'),
    );
  }
}
