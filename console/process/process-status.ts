// One process as it stands: what Temporal knows, and what the process answers. A question costs no event of its history, but
// some work of a worker: so the process is asked only when something has happened since it answered last.

import { QueryNotRegisteredError, type WorkflowExecutionDescription } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import type { ChartView, Position } from '../../driver/chart/chart-view.ts';
import { actionsOf } from '../../processes/actions.ts';
import { answered } from '../../processes/at-temporal.ts';
import { aheadMsOf } from '../../processes/flow-clock.ts';
import { refusalOf } from '../../processes/outcome.ts';
import { executionOf } from '../../processes/views/execution.ts';
import type { Shown } from '../../processes/views/progress.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { askedTemporal } from '../temporal-asked.ts';
import { drawingOfChart, linesOf } from './chart-drawing.ts';
import type { ChartDrawing, ProcessStatus } from './process-view.ts';

/** What the process says of itself. */
type Answers = Pick<
  ProcessStatus,
  | 'chartId'
  | 'active'
  | 'next'
  | 'nextLines'
  | 'timers'
  | 'progress'
  | 'actions'
  | 'unanswered'
  | 'trying'
  | 'clockAheadMs'
>;

interface Known {
  /** Names the run and the length of its history when it was asked. */
  readonly at: string;
  readonly answers: Answers;
}

// The processes that somebody looks at.
const MOST_KNOWN = 200;

export class ProcessStatuses {
  readonly #parts: ConsoleParts;
  readonly #known = new LRUCache<string, Known>({ max: MOST_KNOWN });
  /** By run: a process keeps its chart. */
  readonly #charts = new LRUCache<string, ChartDrawing>({ max: MOST_KNOWN });

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
  }

  /** Throws what says that there is no such process, or that Temporal does not answer. */
  async status(key: string): Promise<ProcessStatus> {
    const { client, temporalUiUrl } = this.#parts;
    const described = await askedTemporal(this.#parts, () => client.workflow.getHandle(key).describe());
    const { runId, type, status, startTime, closeTime, raw } = described;
    const { namespace } = client.options;
    return {
      ...{ key, runId, flow: type, status: status.name, isOpen: status.name === 'RUNNING' },
      ...{ startedAt: startTime.toISOString(), closedAt: closeTime?.toISOString() ?? null },
      ...(await this.#answers(key, described)),
      cost: {
        events: Number(raw.workflowExecutionInfo?.historyLength ?? 0),
        bytes: Number(raw.workflowExecutionInfo?.historySizeBytes ?? 0),
      },
      temporalUi: temporalUiOf(temporalUiUrl, { namespace, workflowId: key, runId }),
    };
  }

  /** The chart that it runs. */
  async chart(key: string): Promise<ChartDrawing> {
    const { runId } = await this.#parts.client.workflow.getHandle(key).describe();
    return await this.#chart(key, runId);
  }

  async #answers(key: string, { runId, raw }: WorkflowExecutionDescription): Promise<Answers> {
    const { workflowExecutionInfo: info, pendingActivities = [] } = raw;
    const tries = (pendingActivities ?? []).map(({ activityId, attempt, state }) => [
      activityId,
      attempt,
      state,
    ]);
    const at = JSON.stringify([runId, String(info?.historyLength), info?.status, tries]);
    const known = this.#known.get(key);
    if (known?.at === at && known.answers.unanswered === null) return known.answers;
    const answers = await this.#ask(key, runId);
    this.#known.set(key, { at, answers });
    return answers;
  }

  async #ask(key: string, runId: string): Promise<Answers> {
    const { client } = this.#parts;
    const { trying } = await executionOf(client, key);
    const handle = client.workflow.getHandle(key, runId);
    const ask = <Answer>(query: string) => answered(this.#parts, () => handle.query<Answer>(query));
    try {
      const [{ active, next, timers = [] }, progress, { id }, aheadMs, actions] = await Promise.all([
        ask<Position>('position'),
        ask<Shown>('progress'),
        this.#chart(key, runId),
        aheadMsOf(this.#parts, key, runId),
        actionsOf(this.#parts, key),
      ]);
      return {
        chartId: id,
        active,
        next,
        nextLines: linesOf(next),
        timers,
        progress,
        actions,
        unanswered: null,
        trying,
        clockAheadMs: aheadMs,
      };
    } catch (error) {
      const nothing = {
        chartId: null,
        active: [],
        next: [],
        nextLines: [],
        timers: [],
        progress: null,
        actions: null,
        clockAheadMs: 0,
      };
      return { ...nothing, unanswered: unansweredWords(error), trying };
    }
  }

  async #chart(key: string, runId: string): Promise<ChartDrawing> {
    const known = this.#charts.get(runId);
    if (known) return known;
    const handle = this.#parts.client.workflow.getHandle(key, runId);
    const view = await answered(this.#parts, () => handle.query<ChartView>('chart'));
    const drawing = await drawingOfChart(view);
    this.#charts.set(runId, drawing);
    return drawing;
  }
}

function unansweredWords(error: unknown): string {
  if (error instanceof QueryNotRegisteredError) return 'This workflow has no chart: it is none of the flows.';
  const words = refusalOf(error)?.message ?? (error instanceof Error ? error.message : String(error));
  return `The process does not say where it stands: ${words}. It loses nothing; the page goes on by itself when a worker answers.`;
}

/** Where Temporal's Web UI shows the process. */
function temporalUiOf(
  base: string,
  { namespace, workflowId, runId }: { namespace: string; workflowId: string; runId: string },
): string {
  const parts = ['namespaces', namespace, 'workflows', workflowId, runId, 'history'];
  return `${base}/${parts.map(encodeURIComponent).join('/')}`;
}
