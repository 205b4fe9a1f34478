// One process with all that the page shows of it: beside what every program gets, where it stands on its chart, what it would
// take next, and what a person may do, as forms. A question costs no event of its history, but some work of a worker: so it is asked
// only when its history has grown since it answered last.
import { QueryNotRegisteredError } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import type { BookingProgress, ProcessProgress, Progress } from '../../contract/flows/flow-answers.ts';
import { businessKeyIssues } from '../../contract/flows/internal-ids.ts';
import type { ChartView, Position } from '../../engine/chart/chart-view.ts';
import { actionFormsOf } from '../../processes/action-forms/action-forms.ts';
import { answered } from '../../processes/at-temporal.ts';
import { aheadMsOf } from '../../processes/flow-clock.ts';
import { type ShutDoor, shipmentsWithItemsLeft, shutDoors } from '../../processes/inbox/at-lockers.ts';
import { isBehindOfflineWall } from '../../processes/inbox/offline-wall.ts';
import { commandErrorOf } from '../../processes/outcome.ts';
import { formatFlowName } from '../../processes/views/format-names.ts';
import { wholeBooking } from '../../processes/views/progress.ts';
import type { ProcessReader, ProcessSnapshot } from '../../processes/views/shown-process.ts';
import { LockerApiError } from '../../shared/locker-api/index.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { chartSvg } from './chart-drawing.ts';
import type { ChildShown, Headline, LockerShown, ProcessSubject } from './glance/glance-view.ts';
import { headlineOf } from './glance/headline.ts';
import { withChildren, withDoors } from './glance/headline-around.ts';
import { lockersOf } from './glance/item-locations.ts';
import { subjectOf } from './glance/subject.ts';
import { trackOf } from './glance/track.ts';
import type { ChartPosition, ProcessDetails, ShownProcess } from './process-view.ts';

/** As often as a page asks again. */
const SHARED_MS = 2_000;

/** A pick up point seldom gets another name. */
const NAMES_MS = 60_000;

// The processes that somebody looks at.
const MAX_KNOWN = 200;

export class DetailedProcesses {
  readonly #parts: ConsoleParts;
  readonly #reader: Pick<ProcessReader, 'snapshot'>;
  /** By run and the length of its history. */
  readonly #positions = new LRUCache<string, ChartPosition>({ max: MAX_KNOWN });
  /** By run and version: a process keeps its chart until it is migrated. */
  readonly #charts = new LRUCache<string, ChartView>({ max: MAX_KNOWN });

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
    const { position, progress, actions, asOf } = this.#orBefore(process, {
      position: await this.#position(snapshot),
      progress: await this.#withItemsStillLeft(process),
      actions: process.actions,
      asOf: null,
    });
    const { flow, status } = process;
    const { workflowExecutionInfo: info } = described.raw;
    const { namespace } = client.options;
    const actionForms = actionFormsOf({ key, isOpen: status === 'Running', flow, progress, actions });
    const chart = this.#charts.get(chartOf(process)) ?? null;
    const glanced = {
      process,
      progress,
      actionForms,
      chart,
      timers: position.timers,
      parent: parentOf(described),
    };
    const children = await this.#children(progress);
    const lockers = [...lockersOf(key, progress), ...children.flatMap((each) => each.lockers)];
    const shut = await this.#shutDoors(lockers);
    return {
      ...process,
      ...position,
      progress,
      actions,
      asOf,
      actionForms,
      headline: withDoors(
        withChildren(headlineOf(glanced), children),
        lockers,
        shut,
        await this.#namesOf(shut),
      ),
      track: trackOf({ ...glanced, active: position.active }),
      lockers,
      children: children.map(({ shown }) => shown),
      cost: { events: Number(info?.historyLength ?? 0), bytes: Number(info?.historySizeBytes ?? 0) },
      temporalUi: temporalUiOf(temporalUiUrl, { namespace, workflowId: key, runId: process.runId }),
    };
  }

  /** What an ended process says last does not know what was fetched since. */
  async #withItemsStillLeft({ status, progress }: ShownProcess): Promise<ProcessProgress | null> {
    const items = (progress?.bookings ?? []).flatMap(({ itemsLeft }) => itemsLeft);
    if (status === 'Running' || !progress || items.length === 0) return progress;
    const pupUids = [...new Set(items.flatMap(({ pupUid }) => pupUid ?? []))];
    const leftAt = (pupUid: string) =>
      this.#parts.shared.of(`items left at ${pupUid}`, SHARED_MS, () =>
        shipmentsWithItemsLeft(this.#parts, pupUid),
      );
    const left = pupUids.map(async (pupUid) => [pupUid, await orUndefined(leftAt(pupUid))] as const);
    const at = new Map(await Promise.all(left));
    const stillLeft = <Booking extends Pick<BookingProgress, 'itemsLeft'>>(booking: Booking): Booking => ({
      ...booking,
      itemsLeft: booking.itemsLeft.filter(
        ({ pupUid, shipmentUid }) => at.get(pupUid ?? '')?.has(shipmentUid) ?? true,
      ),
    });
    const own = wholeBooking(progress) && stillLeft(progress as Progress);
    return { ...progress, ...own, bookings: progress.bookings.map(stillLeft) };
  }

  /** Asked only for a process that has lockers. */
  async #shutDoors(lockers: readonly LockerShown[]): Promise<readonly ShutDoor[]> {
    if (lockers.length === 0) return [];
    const { shared } = this.#parts;
    return (await orUndefined(shared.of('shut doors', SHARED_MS, () => shutDoors(this.#parts)))) ?? [];
  }

  /** The names of walls that are offline, by pupUid. */
  async #namesOf(shut: readonly ShutDoor[]): Promise<ReadonlyMap<string, string>> {
    const { service, shared } = this.#parts;
    const pupUids = new Set(shut.filter(isBehindOfflineWall).flatMap(({ pupUid }) => pupUid ?? []));
    const named = [...pupUids].map(async (pupUid): Promise<[string, string]> => {
      const read = () => service.call('GetPickUpPoints', { pageNo: 1, pageSize: 1, pupUid });
      const answer = await orUndefined(shared.of(`pick up point ${pupUid}`, NAMES_MS, read));
      return [pupUid, answer?.items.find((each) => each.pupUid === pupUid)?.name ?? pupUid];
    });
    return new Map(await Promise.all(named));
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
      answered(this.#parts, () => handle.query<Position>('position')),
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
    return await subjectOf(this.#parts, await this.#reader.snapshot(key));
  }

  /** The flows that it has started and that run: where its item is, they know. */
  async #children(progress: ProcessProgress | null): Promise<LookedChild[]> {
    const open = progress?.children ?? [];
    const all = open.slice(0, MAX_CHILDREN).map(async ({ flow, key }): Promise<LookedChild> => {
      const title = formatFlowName(flow);
      const unknown = { key: key ?? '', title, words: 'being started', isOpen: true };
      if (key === null) return { shown: unknown, headline: null, lockers: [] };
      try {
        const { process } = await this.#reader.snapshot(key);
        const { progress: own } = process;
        const parts = { process, progress: own, actionForms: [], chart: null, timers: [], parent: null };
        const headline = headlineOf(parts);
        const words = [headline.status.words, ...headline.where.map((each) => each.words)].join(', ');
        return {
          shown: { ...unknown, words, isOpen: process.status === 'Running' },
          headline,
          lockers: lockersOf(key, own),
        };
      } catch {
        // It has just begun, or its worker does not answer: its own page says why.
        return { shown: { ...unknown, words: 'not known now' }, headline: null, lockers: [] };
      }
    });
    return await Promise.all(all);
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
      if (error instanceof QueryNotRegisteredError) return { ...NOWHERE, chartMissing: NO_CHART };
      const words =
        commandErrorOf(error)?.message ?? (error instanceof Error ? error.message : String(error));
      return { ...NOWHERE, chartMissing: formatUnanswered(words) };
    }
  }

  async #ask(process: ShownProcess): Promise<ChartPosition> {
    const { key, runId, status } = process;
    const handle = this.#parts.client.workflow.getHandle(key, runId);
    const [{ active, timers = [] }, clockAheadMs] = await Promise.all([
      answered(this.#parts, () => handle.query<Position>('position')),
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
    const chart = await answered(this.#parts, () => handle.query<ChartView>('chart'));
    this.#charts.set(of, chart);
    return chart;
  }
}

const chartOf = ({ runId, progress }: Pick<ShownProcess, 'runId' | 'progress'>): string =>
  `${runId} ${progress?.version ?? ''}`;

// Each is asked too; who has more looks at them one by one.
const MAX_CHILDREN = 3;

interface LookedChild {
  readonly shown: ChildShown;
  /** Null: it does not say now. */
  readonly headline: Headline | null;
  readonly lockers: readonly LockerShown[];
}

/** A service may not list lockers: then nothing more is known. */
const orUndefined = async <Answer>(asked: Promise<Answer>): Promise<Answer | undefined> =>
  await asked.catch((error: unknown) => {
    if (error instanceof LockerApiError) return undefined;
    throw error;
  });

/** What the worker itself starts processes by is nothing that people see. */
function parentOf({ raw }: ProcessSnapshot['described']): string | null {
  const parent = raw.workflowExecutionInfo?.parentExecution?.workflowId;
  return parent && businessKeyIssues(parent).length === 0 ? parent : null;
}

interface LastSaid extends Pick<ShownProcess, 'actions'> {
  readonly position: ChartPosition;
  readonly progress: ProcessProgress | null;
  readonly asOf: string | null;
}

const NOWHERE = { active: [], timers: [], clockAheadMs: 0 };

const NO_CHART = 'This workflow has no chart: it is none of the flows.';

const formatUnanswered = (words: string): string =>
  `The process does not say where it stands: ${words}. It loses nothing; the page goes on by itself when a worker answers.`;

/** Where Temporal's Web UI shows the process. */
function temporalUiOf(
  base: string,
  { namespace, workflowId, runId }: { namespace: string; workflowId: string; runId: string },
): string {
  const parts = ['namespaces', namespace, 'workflows', workflowId, runId, 'history'];
  return `${base}/${parts.map(encodeURIComponent).join('/')}`;
}
