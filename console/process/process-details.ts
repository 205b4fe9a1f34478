// One process with all that the page shows of it: beside what every program gets, where it stands on its chart, what it would
// take next, and what a person may do, as forms. A question costs no event of its history, but some work of a worker: so it is asked
// only when its history has grown since it answered last.
import { QueryNotRegisteredError } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import { queried } from '../../client/queried.ts';
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import { businessKeyIssues } from '../../contract/flows/internal-ids.ts';
import type { ChartView, Position } from '../../engine/chart/chart-view.ts';
import { actionFormsOf } from '../../processes/action-forms/action-forms.ts';
import type { ActionForm } from '../../processes/action-forms/question-forms.ts';
import { type DoubtAnswer, formsInDoubt } from '../../processes/booking-doubt.ts';
import { aheadMsOf } from '../../processes/flow-clock.ts';
import { commandErrorOf } from '../../processes/outcome.ts';
import { pickUpPointNames } from '../../processes/pick-up-points.ts';
import { callTemporal } from '../../processes/temporal-context.ts';
import { wallsOfTasks } from '../../processes/views/desk-tasks.ts';
import { movedToOf } from '../../processes/views/moved-to.ts';
import { shipmentsIn } from '../../processes/views/progress.ts';
import type { ProcessReader, ProcessSnapshot } from '../../processes/views/shown-process.ts';
import { ownersOf, runningAmong, UIDS_PER_QUERY } from '../../shared/routing/owners.ts';
import { t } from '../../shared/texts/text.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { beingPutInOf, withItemsStillLeft } from './at-lockers.ts';
import { chartSvg } from './chart-drawing.ts';
import { doubtsOf } from './doubts.ts';
import { itemElsewhere } from './item-elsewhere.ts';
import { itemsInside } from './items-inside.ts';
import { withLockersOfService } from './lockers-of-service.ts';
import { overviewOf } from './overview/overview.ts';
import type { ProcessOverview, ProcessSubject } from './overview/overview-view.ts';
import { progressBarOf } from './overview/progress-bar.ts';
import { subjectOf } from './overview/subject.ts';
import type { ChartPosition, ProcessDetails, ShownProcess } from './process-view.ts';
import { wholeCaseOf } from './whole-case.ts';

/** Each asks the visibility store, and an ended process changes no more. */
const ITEM_NOW_MS = 5_000;

// The processes that somebody looks at.
const MAX_KNOWN = 200;

export class DetailedProcesses {
  readonly #parts: ConsoleParts;
  readonly #reader: Pick<ProcessReader, 'snapshot'>;
  /** By run and the length of its history. */
  readonly #positions = new LRUCache<string, ChartPosition>({ max: MAX_KNOWN });
  /** By run and version: a process keeps its chart until it is migrated. */
  readonly #charts = new LRUCache<string, ChartView>({ max: MAX_KNOWN });

  /** By run: an ended one changes no more. */
  readonly #movedTo = new LRUCache<string, { readonly key: string | null }>({ max: MAX_KNOWN });

  /** By run: what is shown while it does not answer. */
  readonly #last = new LRUCache<string, LastSaid>({ max: MAX_KNOWN });

  constructor(parts: ConsoleParts, reader: Pick<ProcessReader, 'snapshot'>) {
    this.#parts = parts;
    this.#reader = reader;
  }

  /** Throws as ProcessReader.read. */
  async read(key: string): Promise<ProcessDetails> {
    const { client, temporalUiUrl } = this.#parts;
    const snapshot = await this.#reader.snapshot(key);
    const { process, described } = snapshot;
    const items = await withItemsStillLeft(this.#parts, process);
    const { position, progress, actions, asOf } = this.#orBefore(process, {
      position: await this.#position(snapshot),
      progress: await withLockersOfService(this.#parts, process, items.answer),
      actions: process.actions,
      asOf: null,
    });
    const { flow, status } = process;
    const { workflowExecutionInfo: info } = described.raw;
    const isOpen = status === 'Running';
    const doubts = isOpen ? await doubtsOf(this.#parts, key, progress) : [];
    const pickUpPoints = await pickUpPointNames(this.#parts, leftAt(actions));
    const forms = actionFormsOf({ key, isOpen, flow, progress, actions, pickUpPoints });
    const actionForms = await this.#inDoubt(forms, progress, doubts);
    const triedAt = (process.failure?.lockersTried?.tried ?? []).map(({ pupUid }) => pupUid);
    const named = [...triedAt, ...(isOpen ? wallsOfTasks(progress) : [])];
    const chart = this.#charts.get(chartOf(process)) ?? null;
    const known = {
      process,
      progress,
      actionForms,
      chart,
      ...position,
      parent: parentOf(described),
      doubts,
      pickUpPoints: await pickUpPointNames(this.#parts, named),
      ...(isOpen && { isBeingPutIn: await beingPutInOf(this.#parts, progress) }),
    };
    const said = overviewOf(known);
    const inside = await itemsInside(this.#parts, process, progress);
    const elsewhere =
      said.where.length === 0 ? await itemElsewhere(this.#parts, this.#reader, snapshot) : undefined;
    const own = {
      ...said,
      where: [...(inside.length > 0 ? inside : (elsewhere?.where ?? said.where)), ...items.fetched],
      unread: [...said.unread, ...(asOf === null ? [] : SILENT())],
      itemNow: elsewhere?.snapshot.process.key ?? (isOpen ? null : await this.#itemNow(key, progress)),
      ...(await this.#moved(process)),
    };
    const asked = { ...process, progress };
    const given = { snapshot, process: asked, own, chart, items };
    const all = await wholeCaseOf(this.#parts, this.#reader, given);
    return {
      ...process,
      ...position,
      progress,
      actions,
      asOf,
      actionForms: [...actionForms, ...all.actionForms],
      refusals: [],
      overview: all.overview,
      progressBar: progressBarOf(known),
      lockers: [...all.lockers],
      isMovable: all.isMovable,
      hasDoorFault: all.doorFault !== null,
      doorFault: all.doorFault,
      parts: [...all.parts],
      children: [...all.children],
      cost: { events: Number(info?.historyLength ?? 0), bytes: Number(info?.historySizeBytes ?? 0) },
      temporalUi: temporalUiOf(temporalUiUrl, client, { workflowId: key, runId: process.runId }),
    };
  }

  async #inDoubt(
    forms: readonly ActionForm[],
    progress: ProcessProgress | null,
    doubts: readonly DoubtAnswer[],
  ): Promise<ActionForm[]> {
    if (progress === null || doubts.length === 0) return [...forms];
    const foundAt = doubts.flatMap(({ found }) => found.flatMap(({ pupUid }) => pupUid ?? []));
    return formsInDoubt(forms, { progress, doubts, names: await pickUpPointNames(this.#parts, foundAt) });
  }

  /** The open process that has one of its shipments now; without Temporal's search nobody knows. */
  async #itemNow(key: string, progress: ProcessProgress | null): Promise<string | null> {
    const uids = shipmentsIn(progress ?? { bookings: [] }).map(({ shipment }) => shipment.shipmentUid);
    if (uids.length === 0) return null;
    const { client, shared } = this.#parts;
    const read = () => ownersOf(client, uids.slice(0, UIDS_PER_QUERY));
    const owners = await shared.of(`who has the items of ${key}`, ITEM_NOW_MS, read).catch(() => new Map());
    return runningAmong([...owners.values()].flat()).find((each) => each !== key) ?? null;
  }

  /** What has become of the item where a person has moved it: nobody takes it for lost. */
  async #moved({
    key,
    runId,
    status,
  }: ShownProcess): Promise<Partial<Pick<ProcessOverview, 'movedTo' | 'where'>>> {
    if (status !== 'Cancelled') return {};
    const movedTo = this.#movedTo.get(runId) ?? {
      key: await callTemporal(this.#parts, () => movedToOf(this.#parts.client, key, runId)),
    };
    this.#movedTo.set(runId, movedTo);
    if (movedTo.key === null) return {};
    return { movedTo: movedTo.key, where: [{ words: t`Moved to ${movedTo.key}`, pupUid: null }] };
  }

  /** What it said last, where it runs and does not answer now. */
  #orBefore({ runId, status }: ShownProcess, said: LastSaid): LastSaid {
    const isSilent = status === 'Running' && (said.progress === null || said.position.chartMissing !== null);
    if (!isSilent) {
      this.#last.set(runId, { ...said, asOf: new Date().toISOString() });
      return said;
    }
    const last = this.#last.get(runId);
    if (!last) return said;
    return { ...last, position: { ...last.position, chartMissing: said.position.chartMissing } };
  }

  /** The chart that it runs, as SVG. Throws as ProcessReader.read, and what a query throws. */
  async picture(key: string): Promise<string> {
    const { process } = await this.#reader.snapshot(key);
    const { key: workflowId, runId, status } = process;
    const handle = this.#parts.client.workflow.getHandle(workflowId, runId);
    const [chart, { active, next }] = await Promise.all([
      this.#chart(process),
      queried(this.#parts, () => handle.query<Position>('position')),
    ]);
    const isOpen = status === 'Running';
    const lines = next.flatMap(({ from, to }) => to.map((target) => `${from}>${target}`));
    // A result that is not the one that was wished for is no failure of the process: its outcome says so.
    const ended = status === 'Completed' ? 'ended' : 'failed';
    return await chartSvg(chart, {
      active,
      next: new Set(isOpen ? lines : []),
      sign: isOpen ? 'now' : ended,
    });
  }

  /** Whom it is for, and its data. Throws as ProcessReader.read. */
  async subject(key: string): Promise<ProcessSubject> {
    const snapshot = await this.#reader.snapshot(key);
    const elsewhere = await itemElsewhere(this.#parts, this.#reader, snapshot);
    return await subjectOf(this.#parts, snapshot, elsewhere?.snapshot);
  }

  async #position({ process, described }: ProcessSnapshot): Promise<ChartPosition> {
    const { runId, status, unanswered } = process;
    const at = `${runId} ${described.raw.workflowExecutionInfo?.historyLength} ${status}`;
    const known = this.#positions.get(at);
    if (known) return known;
    if (unanswered !== null) return { ...NOWHERE, chartMissing: formatUnanswered(unanswered) };
    try {
      const position = await this.#ask(process);
      this.#positions.set(at, position);
      return position;
    } catch (error) {
      if (error instanceof QueryNotRegisteredError) return { ...NOWHERE, chartMissing: NO_CHART() };
      const words =
        commandErrorOf(error)?.message ?? (error instanceof Error ? error.message : String(error));
      return { ...NOWHERE, chartMissing: formatUnanswered(words) };
    }
  }

  async #ask(process: ShownProcess): Promise<ChartPosition> {
    const { key, runId, status } = process;
    const handle = this.#parts.client.workflow.getHandle(key, runId);
    const [{ active, timers = [] }, clockAheadMs] = await Promise.all([
      queried(this.#parts, () => handle.query<Position>('position')),
      aheadMsOf(this.#parts, key, runId),
      this.#chart(process),
    ]);
    const reached = { active, clockAheadMs, chartMissing: null };
    // One that was ended from outside, or by a failure, stands where it stood, and waits for nothing any more.
    return { ...reached, timers: status === 'Running' ? timers : [] };
  }

  async #chart(process: ShownProcess): Promise<ChartView> {
    const of = chartOf(process);
    const known = this.#charts.get(of);
    if (known) return known;
    const handle = this.#parts.client.workflow.getHandle(process.key, process.runId);
    const chart = await queried(this.#parts, () => handle.query<ChartView>('chart'));
    this.#charts.set(of, chart);
    return chart;
  }
}

const chartOf = ({ runId, progress }: Pick<ShownProcess, 'runId' | 'progress'>): string =>
  `${runId} ${progress?.version ?? ''}`;

/** Where an item would stay if something were done. */
const leftAt = (actions: ShownProcess['actions']): string[] =>
  (actions?.actions ?? []).flatMap(({ consequence }) =>
    (consequence?.itemsLeft ?? []).flatMap(({ pupUid }) => pupUid ?? []),
  );

/** What the worker itself starts processes by is nothing that people see. */
function parentOf({ raw }: ProcessSnapshot['described']): string | null {
  const parent = raw.workflowExecutionInfo?.parentExecution?.workflowId;
  return parent && businessKeyIssues(parent).length === 0 ? parent : null;
}

/** It says nothing new now. */
const SILENT = () => [t`what the case says of itself now`];

interface LastSaid extends Pick<ShownProcess, 'actions'> {
  readonly position: ChartPosition;
  readonly progress: ProcessProgress | null;
  readonly asOf: string | null;
}

const NOWHERE = { active: [], timers: [], clockAheadMs: 0 };

const NO_CHART = () => t`This workflow has no chart: it is none of the flows.`;

const formatUnanswered = (words: string): string =>
  t`The case does not say where it stands: ${words}. It loses nothing; the page goes on by itself when a worker answers.`;

/** Where Temporal's Web UI shows the process. */
function temporalUiOf(
  base: string,
  { options: { namespace } }: ConsoleParts['client'],
  { workflowId, runId }: { readonly workflowId: string; readonly runId: string },
): string {
  const parts = ['namespaces', namespace, 'workflows', workflowId, runId, 'history'];
  return `${base}/${parts.map(encodeURIComponent).join('/')}`;
}
