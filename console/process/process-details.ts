// One process with all that the page shows of it: beside what every program gets, where it stands on its chart, what it would
// take, and what a person may do, as forms. A question costs no event of its history, but some work of a worker: so it is asked
// only when its history has grown since it answered last.
import { QueryNotRegisteredError } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import type { ChartView, Position } from '../../driver/chart/chart-view.ts';
import { answered } from '../../processes/at-temporal.ts';
import { choicesOf } from '../../processes/choices/action-choices.ts';
import { aheadMsOf } from '../../processes/flow-clock.ts';
import { refusalOf } from '../../processes/outcome.ts';
import type { Shown } from '../../processes/views/progress.ts';
import type { LookedAt, ShownProcesses } from '../../processes/views/shown-process.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { drawingOfChart, linesOf } from './chart-drawing.ts';
import { takenOf } from './event-words.ts';
import type { ChartDrawing, ChartPosition, ProcessDetails, ShownProcess } from './process-view.ts';

// The processes that somebody looks at.
const MOST_KNOWN = 200;

export class DetailedProcesses {
  readonly #parts: ConsoleParts;
  readonly #shown: Pick<ShownProcesses, 'look'>;
  /** By run and the length of its history. */
  readonly #positions = new LRUCache<string, ChartPosition>({ max: MOST_KNOWN });
  /** By run and version: a process keeps its chart until it is migrated. */
  readonly #charts = new LRUCache<string, ChartDrawing>({ max: MOST_KNOWN });

  /** By run: what is shown while it does not answer. */
  readonly #last = new LRUCache<string, LastSaid>({ max: MOST_KNOWN });

  constructor(parts: ConsoleParts, shown: Pick<ShownProcesses, 'look'>) {
    this.#parts = parts;
    this.#shown = shown;
  }

  /** Throws as ShownProcesses.read. */
  async read(key: string): Promise<ProcessDetails> {
    const { client, temporalUiUrl } = this.#parts;
    const looked = await this.#shown.look(key);
    const { process, described } = looked;
    const { position, progress, actions, asOf } = this.#orBefore(process, {
      position: await this.#position(looked),
      ...{ progress: process.progress as Shown | null, actions: process.actions, asOf: null },
    });
    const { flow, status } = process;
    const { workflowExecutionInfo: info } = described.raw;
    const { namespace } = client.options;
    return {
      ...{ ...process, ...position, progress, actions, asOf },
      choices: choicesOf({ key, isOpen: status === 'Running', flow, progress, actions }),
      cost: { events: Number(info?.historyLength ?? 0), bytes: Number(info?.historySizeBytes ?? 0) },
      temporalUi: temporalUiOf(temporalUiUrl, { namespace, workflowId: key, runId: process.runId }),
    };
  }

  /** What it said last, where it runs and does not answer now. */
  #orBefore({ runId, status }: ShownProcess, said: LastSaid): LastSaid {
    const isSilent = status === 'Running' && (said.progress === null || said.position.chartId === null);
    if (!isSilent) {
      this.#last.set(runId, { ...said, asOf: new Date().toISOString() });
      return said;
    }
    const last = this.#last.get(runId);
    if (!last) return said;
    return { ...last, position: { ...last.position, chartMissing: said.position.chartMissing } };
  }

  /** The chart that it runs. Throws as ShownProcesses.read, and what a query throws. */
  async drawing(key: string): Promise<ChartDrawing> {
    const { process } = await this.#shown.look(key);
    return await this.#chart(process);
  }

  async #position({ process, described }: LookedAt): Promise<ChartPosition> {
    const { runId, status, unanswered } = process;
    const at = `${runId} ${described.raw.workflowExecutionInfo?.historyLength} ${status}`;
    const known = this.#positions.get(at);
    if (known) return known;
    if (unanswered !== null) return { ...NOWHERE, chartMissing: unansweredWords(unanswered) };
    try {
      const position = await this.#ask(process);
      this.#positions.set(at, position);
      return position;
    } catch (error) {
      if (error instanceof QueryNotRegisteredError) return { ...NOWHERE, chartMissing: NO_CHART };
      const words = refusalOf(error)?.message ?? (error instanceof Error ? error.message : String(error));
      return { ...NOWHERE, chartMissing: unansweredWords(words) };
    }
  }

  async #ask(process: ShownProcess): Promise<ChartPosition> {
    const { key, runId, status } = process;
    const handle = this.#parts.client.workflow.getHandle(key, runId);
    const [{ active, next, timers = [] }, { id }, clockAheadMs] = await Promise.all([
      answered(this.#parts, () => handle.query<Position>('position')),
      this.#chart(process),
      aheadMsOf(this.#parts, key, runId),
    ]);
    const reached = { chartId: id, active, clockAheadMs, chartMissing: null };
    // One that was ended from outside, or by a failure, stands where it stood, and waits for nothing any more.
    if (status !== 'Running') return { ...reached, timers: [], nextLines: [], takes: [] };
    return { ...reached, timers, nextLines: linesOf(next), takes: takenOf(next) };
  }

  async #chart({ key, runId, progress }: ShownProcess): Promise<ChartDrawing> {
    const of = `${runId} ${(progress as { version?: number } | null)?.version ?? ''}`;
    const known = this.#charts.get(of);
    if (known) return known;
    const handle = this.#parts.client.workflow.getHandle(key, runId);
    const drawing = await drawingOfChart(await answered(this.#parts, () => handle.query<ChartView>('chart')));
    this.#charts.set(of, drawing);
    return drawing;
  }
}

interface LastSaid extends Pick<ShownProcess, 'actions'> {
  readonly position: ChartPosition;
  readonly progress: Shown | null;
  readonly asOf: string | null;
}

const NOWHERE = { chartId: null, active: [], nextLines: [], timers: [], takes: [], clockAheadMs: 0 };

const NO_CHART = 'This workflow has no chart: it is none of the flows.';

const unansweredWords = (words: string): string =>
  `The process does not say where it stands: ${words}. It loses nothing; the page goes on by itself when a worker answers.`;

/** Where Temporal's Web UI shows the process. */
function temporalUiOf(
  base: string,
  { namespace, workflowId, runId }: { namespace: string; workflowId: string; runId: string },
): string {
  const parts = ['namespaces', namespace, 'workflows', workflowId, runId, 'history'];
  return `${base}/${parts.map(encodeURIComponent).join('/')}`;
}
