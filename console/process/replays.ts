// The steps of the processes that people look at, kept for as long as their histories do not grow.
import { LRUCache } from 'lru-cache';
import { decoderOf, HistoryTooLong, runsOf } from '../../processes/views/history.ts';
import { roleIn } from '../../processes/views/shown-process.ts';
import { costOf, describedEvents, entriesOf, runIdOf, tasksIn } from '../../processes/views/timeline.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { CallersInTurn, foundOrMade } from '../heavy/callers-in-turn.ts';
import { ConsoleRefusal } from '../refusal.ts';
import { drawingOfChart } from './chart-drawing.ts';
import { happenedOf, withoutAnswer } from './glance/happened.ts';
import { namesIn } from './glance/headline.ts';
import type { AnyProgress, ChartDrawing, ProcessSteps, StatePath, StepStatus } from './process-view.ts';
import type { Replayer } from './replayer.ts';
import { chartAfter, type ReplayedRun, statusAfter, stepsOf, visitedBefore } from './steps.ts';

interface CachedReplay {
  readonly runs: readonly ReplayedRun[];
  readonly all: ProcessSteps;
  /** The same for who may not act on processes. */
  readonly withoutAnswers: () => Promise<ProcessSteps>;
  /** Characters of the steps as JSON. */
  readonly length: number;
}

// A long process takes some megabytes.
const MAX_KEPT = 20;
/** Characters of JSON, of all that are kept together: as objects they are some times as large. */
const MAX_KEPT_LENGTH = 48_000_000;
/** That wait for their turn, of one caller and of all. */
export const MAX_PER_CALLER = 4;
const MAX_WAITING = 50;
/** Behind this, a replay would take minutes and a page could not show it. */
export const MAX_EVENTS = 30_000;

export class Replays {
  readonly #parts: ConsoleParts;
  readonly #replayer: Replayer;
  readonly #kept = new LRUCache<string, Promise<CachedReplay>>({ max: MAX_KEPT, maxSize: MAX_KEPT_LENGTH });

  /** One history is read and replayed at a time: it takes memory, and the program that replays. */
  readonly #turns = new CallersInTurn({
    what: 'histories',
    most: MAX_WAITING,
    maxPerCaller: MAX_PER_CALLER,
    mayBegin: (_, running) => running.length === 0,
  });

  /** By run. It only grows, so what was read last is right as far as it goes. */
  readonly #visited = new LRUCache<string, readonly StatePath[]>({ max: 10 * MAX_KEPT });

  constructor(parts: ConsoleParts, replayer: Replayer) {
    this.#parts = parts;
    this.#replayer = replayer;
  }

  /**
   * For the last execution with this key. Throws FlowNotFound.
   * @param mayReadAnswers whether they say what was answered to the questions of the process
   */
  async steps(key: string, mayReadAnswers = false): Promise<ProcessSteps> {
    const { all, withoutAnswers } = await this.#of(key);
    return mayReadAnswers ? all : await withoutAnswers();
  }

  /** The states in which a run has been, as far as somebody has asked for its steps; null: nobody has. */
  visited(runId: string): readonly StatePath[] | null {
    return this.#visited.get(runId) ?? null;
  }

  async status(key: string, number: number): Promise<StepStatus> {
    const { runs } = await this.#of(key);
    const status = statusAfter(runs, number);
    if (status) return status;
    const last = runs.reduce((sum, { steps }) => sum + steps.length, 0) - 1;
    throw new ConsoleRefusal(404, 'NoSuchStep', `${key} has no step ${number}; expected 0 to ${last}.`);
  }

  /** The chart on which it was then: a migration puts another in its place. */
  async drawing(key: string, number: number): Promise<ChartDrawing> {
    const { runs } = await this.#of(key);
    const chart = chartAfter(runs, number);
    if (chart) return await drawingOfChart(chart);
    throw new ConsoleRefusal(404, 'NoSuchStep', `${key} has no step ${number} with a chart.`);
  }

  async #of(key: string): Promise<CachedReplay> {
    const { raw, runId } = await this.#parts.client.workflow.getHandle(key).describe();
    const id = JSON.stringify([key, runId, String(raw.workflowExecutionInfo?.historyLength)]);
    return await foundOrMade(
      () => this.#kept.get(id),
      () => this.#readOnce(key, id),
    );
  }

  async #readOnce(key: string, id: string): Promise<CachedReplay> {
    const reading = this.#turns.do(null, () => this.#read(key));
    this.#kept.set(id, reading, { size: 1 });
    try {
      const { length } = await reading;
      // How much it takes is known only now.
      if (this.#kept.get(id) === reading) {
        this.#kept.delete(id);
        this.#kept.set(id, reading, { size: Math.max(1, length) });
      }
    } catch {
      this.#kept.delete(id);
    }
    return await reading;
  }

  async #read(key: string): Promise<CachedReplay> {
    const histories = await runsOf(this.#parts.client, key, MAX_EVENTS).catch((error: unknown) => {
      if (error instanceof HistoryTooLong) return error;
      throw error;
    });
    if (histories instanceof HistoryTooLong) return unread(histories.message);
    const runs: ReplayedRun[] = [];
    let length = 0;
    const decode = decoderOf(this.#parts.client);
    for (const history of histories) {
      const asked = { workflowId: key, runId: runIdOf(history) };
      const { error, steps, ...told } = await this.#replayer.replayed(asked);
      length += told.length;
      if (told.isTooLong || length > MAX_KEPT_LENGTH) return unread(TOO_LONG);
      if (error !== null) return unread(otherwise(error));
      if (steps.length === 0) return unread(NO_STEPS);
      const roleOf = roleIn(steps.at(-1)?.progress);
      const runId = runIdOf(history);
      const entries = entriesOf(runId, await describedEvents(history, decode, roleOf));
      runs.push({ runId, steps, entries, tasks: tasksIn(history) });
    }
    const last = runs.at(-1);
    const progress = (last?.steps.at(-1)?.progress ?? null) as AnyProgress | null;
    const entries = runs.flatMap((run) => run.entries);
    if (last) this.#visited.set(last.runId, visitedBefore(runs));
    const steps = await stepsOf(runs);
    const names = namesIn(progress);
    const happened = await happenedOf({ entries }, steps, names);
    const all = {
      steps,
      why: null,
      actions: costOf(histories.flat()).actions,
      runs: runs.length,
      happened,
    };
    let hidden: Promise<ProcessSteps> | undefined;
    const withoutAnswers = () => {
      hidden ??= happenedOf({ entries: entries.map(withoutAnswer) }, steps, names).then((shown) => ({
        ...all,
        happened: shown,
      }));
      return hidden;
    };
    return { runs, all, withoutAnswers, length };
  }
}

function unread(why: string): CachedReplay {
  const all = { steps: null, why, actions: 0, runs: 0, happened: [] };
  return { runs: [], length: 0, all, withoutAnswers: async () => all };
}

const otherwise = (error: string): string =>
  `This history cannot be stepped through: the workflows of this console decide differently from the process, so the steps would be wrong. The process ran with another version; run the console of that version. (${error.split('\n')[0]})`;

const TOO_LONG =
  'What this process says of itself after each step is too long to step through. Its history is in the timeline, and whole in Temporal’s Web UI.';

const NO_STEPS =
  'This workflow has no chart, so there are no steps. Temporal’s Web UI shows the events of its history.';
