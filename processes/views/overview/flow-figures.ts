// Each flow with the numbers by which somebody sees whether it goes well: what is open, what is wrong, how long it usually takes,
// and how many were started on each of the last days.
//
// Temporal's search answers few questions a second, so they are few and paced, and what is not known yet comes later. All who look
// share them. As long as one list has them: one question for what has ended on all days, one for what was started on each day,
// those of the days that are over every ten minutes. With more, each flow is counted by itself.
import type { Client } from '@temporalio/client';
import { z } from 'zod';
import { type AtTemporal, askedTemporal } from '../../at-temporal.ts';
import { type FlowQueryOptions, flowQuery } from '../flow-query.ts';
import { readFlows } from '../flows.ts';
import { type FoundFlow, type FoundPage, foundPage } from '../found-flows.ts';
import { FAILED } from './counts.ts';
import type { OpenProcesses } from './open-processes.ts';
import { PacedQuestions, type Question } from './paced-questions.ts';

export interface FlowFigures {
  readonly flow: string;
  /** For people: `Issue from stock`. */
  readonly title: string;
  readonly meaning: string;
  /** Null: it is built in. */
  readonly version: number | null;
  /** Null, here and in the others: it is not known yet. */
  readonly open: number | null;
  readonly needsPerson: number | null;
  readonly overdue: number | null;
  /** In the last seven days. */
  readonly failed: number | null;
  /** Null also where none has completed lately. */
  readonly median: MedianDuration | null;
  /** How many were started on each of the last days, the last one today. */
  readonly started: readonly number[] | null;
  /** Nothing is open, and nothing has ended lately. */
  readonly isQuiet: boolean | null;
  /** Nothing of it is still to be counted. */
  readonly isWhole: boolean;
}

interface MedianDuration {
  readonly ms: number;
  /** How many it is of: the last that completed on the days that are shown. */
  readonly of: number;
}

export interface FlowFiguresView {
  readonly items: readonly FlowFigures[];
}

const SHOWN_DAYS = 14;
const FAILED_DAYS = 7;
const MEDIAN_OF = 100;
const DAY_MS = 86_400_000;
/** Days of readers in all time zones end at quarters of an hour. */
const QUARTER_MS = 900_000;

export const flowFigures = z
  .object({
    items: z
      .array(
        z.object({
          flow: z.string(),
          title: z.string().meta({ description: 'For people: `Issue from stock`' }),
          meaning: z.string().meta({ description: 'What it is for' }),
          version: z.int().nullable().meta({ description: 'Null: it is built in' }),
          open: z.int().nullable().meta({ description: 'Null, here and in the others: it is not known yet' }),
          needsPerson: z.int().nullable(),
          overdue: z.int().nullable(),
          failed: z
            .int()
            .nullable()
            .meta({
              description: `How many have failed, were terminated or timed out in ${FAILED_DAYS} days`,
            }),
          median: z
            .object({ ms: z.number(), of: z.int() })
            .nullable()
            .meta({
              description: `How long those took, from start to end, that completed last in ${SHOWN_DAYS} days, and how many these are (at most ${MEDIAN_OF} of a flow); null also where none has. One that continues as a new run counts from its last run`,
            }),
          started: z
            .array(z.int())
            .nullable()
            .meta({
              description: `How many were started on each of the last ${SHOWN_DAYS} days, the last one that of \`dayEnds\``,
            }),
          isQuiet: z
            .boolean()
            .nullable()
            .meta({ description: `Nothing is open, and nothing has ended for ${SHOWN_DAYS} days` }),
          isWhole: z.boolean().meta({ description: 'Nothing of it is still to be counted' }),
        }),
      )
      .meta({ description: 'By title' }),
  })
  .meta({ title: 'FlowFigures' }) satisfies z.ZodType<FlowFiguresView>;

/** Who reads waits no longer; what is not known by then comes with a later reading. */
const WAIT_MS = 2_000;
const FLOWS_EVERY_MS = 4_000;
/** So long a search that fails changes nothing; then Temporal is away. */
const BRIDGED_MS = 30_000;
const EVERY_MS = 10_000;
const MEDIAN_EVERY_MS = 60_000;
/** What is over changes only as Temporal deletes processes, after its retention. */
const PAST_DAY_EVERY_MS = 600_000;
/** How long a list that is too long is not tried again. */
const TOO_MANY_FOR_MS = 600_000;
/** So many at once tell the numbers of all flows; where there are more, each flow is counted by itself. */
const MAX_LISTED = 1_000;

type Row = Pick<FlowFigures, 'flow' | 'title' | 'meaning' | 'version'>;

/** What is known of the processes of one flow that have ended on the days that are shown; undefined: not yet. */
interface EndedFigures {
  readonly count: number;
  readonly failed: number | undefined;
  readonly median: MedianDuration | null | undefined;
}

/** By flow; or there are more than one list has. */
type OfAllFlows<Value> = ReadonlyMap<string, Value> | 'too many';

interface StartedOn {
  readonly end: number;
  readonly of: OfAllFlows<number> | undefined;
}

interface OpenOfFlow {
  readonly count: number;
  /** Absent: they are only counted. */
  readonly processes?: readonly FoundFlow[];
}

interface FlowFiguresOptions {
  readonly questionsPerSecond: number;
  readonly maxListed?: number;
}

export class FlowFiguresReader {
  readonly #parts: AtTemporal;
  readonly #open: Pick<OpenProcesses, 'now'>;
  readonly #maxListed: number;
  readonly #questions: PacedQuestions;
  readonly #flows: {
    last?: { readonly rows: readonly Row[]; readonly goodUntil: number };
    reading?: Promise<readonly Row[]> | undefined;
  } = {};

  constructor(
    parts: AtTemporal,
    open: Pick<OpenProcesses, 'now'>,
    { questionsPerSecond, maxListed = MAX_LISTED }: FlowFiguresOptions,
  ) {
    this.#parts = parts;
    this.#open = open;
    this.#maxListed = maxListed;
    this.#questions = new PacedQuestions(questionsPerSecond);
  }

  /**
   * As of some seconds ago at most, as far as it is known. Throws Refusal where the flows cannot be read.
   * @param dayEndsMs the end of the day of whoever asks
   */
  async read(dayEndsMs: number): Promise<FlowFiguresView> {
    const ends = Math.ceil(dayEndsMs / QUARTER_MS) * QUARTER_MS;
    const waitUntil = Date.now() + WAIT_MS;
    const [rows, openNow] = await Promise.all([this.#rows(), this.#open.now().catch(() => undefined)]);
    const open = openNow?.isWhole ? byFlow(openNow.processes) : undefined;
    for (;;) {
      const view = { items: this.#known(rows, open, ends) };
      if (!this.#questions.isBusy || Date.now() >= waitUntil) return view;
      await this.#questions.idle(waitUntil - Date.now());
    }
  }

  async #rows(): Promise<readonly Row[]> {
    const ask = async () => {
      const { items } = await askedTemporal(this.#parts, () => readFlows(this.#parts));
      const rows = items.map(({ flow, title, meaning, version }): Row => ({ flow, title, meaning, version }));
      return rows.sort((one, other) => one.title.localeCompare(other.title));
    };
    const { last } = this.#flows;
    if (last && Date.now() < last.goodUntil) return last.rows;
    this.#flows.reading ??= ask().finally(() => {
      this.#flows.reading = undefined;
    });
    try {
      const rows = await this.#flows.reading;
      this.#flows.last = { rows, goodUntil: Date.now() + FLOWS_EVERY_MS };
      return rows;
    } catch (error) {
      if (last && Date.now() < last.goodUntil + BRIDGED_MS) return last.rows;
      throw error;
    }
  }

  /** @param open undefined: there are too many, or they could not be read */
  #known(rows: readonly Row[], open: ReadonlyMap<string, readonly FoundFlow[]> | undefined, ends: number) {
    const flows = rows.map(({ flow }) => flow);
    // By their types: one that was terminated before it began has nothing else by which it is found.
    const ended = this.#questions.last(this.#endedOfAll(flows, ends));
    const days = Array.from({ length: SHOWN_DAYS }, (_, index) => ends - (SHOWN_DAYS - 1 - index) * DAY_MS);
    const started = days.map((end) => ({ end, of: this.#questions.last(this.#startedOfAll(flows, end)) }));
    return rows.map((row): FlowFigures => {
      const { flow } = row;
      const running = open ? openOf(open.get(flow)) : this.#counted(flow, ends);
      const lately = ended === 'too many' ? this.#endedOf(flow, ends) : ended && (ended.get(flow) ?? NONE);
      const isQuiet = lately && running ? running.count + lately.count === 0 : null;
      const counts = {
        open: running?.count,
        failed: lately?.failed,
        median: lately?.median,
        needsPerson: this.#inPhase(flow, 'NeedsPerson', running),
        overdue: this.#inPhase(flow, 'Overdue', running),
        started: isQuiet ? days.map(() => 0) : this.#startedEach(flow, started),
      };
      const isWhole = Object.values(counts).every((each) => each !== undefined);
      return { ...row, ...nullable(counts), isQuiet, isWhole };
    });
  }

  #inPhase(flow: string, phase: string, open: OpenOfFlow | undefined): number | undefined {
    if (open?.count === 0) return 0;
    if (open?.processes) return open.processes.filter((each) => each.phase === phase).length;
    return this.#questions.last(this.#count({ flow: [flow], phase }, EVERY_MS));
  }

  #startedEach(flow: string, days: readonly StartedOn[]): readonly number[] | undefined {
    const counts = days.map(({ end, of }) => {
      if (of === 'too many') return this.#questions.last(this.#startedOf(flow, end));
      return of && (of.get(flow) ?? 0);
    });
    return counts.every((count) => count !== undefined) ? counts : undefined;
  }

  #counted(flow: string, ends: number): OpenOfFlow | undefined {
    const count = this.#byStatus(flow, ends)?.get('Running');
    return count === undefined ? undefined : { count };
  }

  #endedOfAll(flow: readonly string[], ends: number): Question<OfAllFlows<EndedFigures>> {
    const query = flowQuery({
      flow,
      query: `${ENDED} AND CloseTime >= '${isoOf(ends - SHOWN_DAYS * DAY_MS)}'`,
    });
    return this.#ofAll<EndedFigures>(`ended ${ends}`, query, EVERY_MS, (found) => {
      const completed = found.filter(({ status }) => status === 'Completed').slice(0, MEDIAN_OF);
      const failed = found.filter(hasFailedLately).length;
      return { count: found.length, failed, median: medianOf(completed.map(durationOf)) };
    });
  }

  #startedOfAll(flow: readonly string[], end: number): Question<OfAllFlows<number>> {
    const query = flowQuery({ flow, ...startedOnDay(end) });
    return this.#ofAll(`started ${end}`, query, goodFor(end), (found) => found.length);
  }

  /** @param query Temporal gives those first that have ended last */
  #ofAll<Value>(
    name: string,
    query: string,
    goodForMs: number,
    sumUp: (found: readonly FoundFlow[]) => Value,
  ): Question<OfAllFlows<Value>> {
    const ask = async (): Promise<OfAllFlows<Value>> => {
      const { flows, next } = await this.#list(query, this.#maxListed);
      if (next !== null) return 'too many';
      return new Map([...byFlow(flows)].map(([flow, found]) => [flow, sumUp(found)]));
    };
    return { name, ask, goodForMs: (all) => (all === 'too many' ? TOO_MANY_FOR_MS : goodForMs) };
  }

  #endedOf(flow: string, ends: number): EndedFigures | undefined {
    const byStatus = this.#byStatus(flow, ends);
    if (!byStatus) return undefined;
    const of = (...names: readonly string[]) =>
      names.reduce((sum, name) => sum + (byStatus.get(name) ?? 0), 0);
    const hasFailed = of('Failed', 'Terminated', 'TimedOut') > 0;
    const since = isoOf(Date.now() - FAILED_DAYS * DAY_MS);
    const failed = { flow: [flow], query: `(${FAILED}) AND CloseTime >= '${since}'` };
    return {
      count: [...byStatus].reduce((sum, [status, count]) => sum + (status === 'Running' ? 0 : count), 0),
      failed: hasFailed ? this.#questions.last(this.#count(failed, EVERY_MS, `failed ${flow}`)) : 0,
      median: of('Completed') > 0 ? this.#questions.last(this.#median(flow, ends))?.median : null,
    };
  }

  /** How many run, and how many have ended on the days that are shown, by how. */
  #byStatus(flow: string, ends: number): ReadonlyMap<string, number> | undefined {
    const since = isoOf(ends - SHOWN_DAYS * DAY_MS);
    const wanted = `ExecutionStatus = 'Running' OR (${ENDED} AND CloseTime >= '${since}')`;
    const query = `${flowQuery({ flow: [flow], query: wanted })} GROUP BY ExecutionStatus`;
    const ask = async () => {
      const { groups } = await this.#ask(({ workflow }) => workflow.count(query));
      return new Map(groups.map(({ count, groupValues: [status] }) => [String(status), count]));
    };
    const known = this.#questions.last({ name: query, ask, goodForMs: EVERY_MS });
    return known && new Map([['Running', 0], ...known]);
  }

  #median(flow: string, ends: number): Question<{ readonly median: MedianDuration | null }> {
    const since = isoOf(ends - SHOWN_DAYS * DAY_MS);
    const wanted = `ExecutionStatus = 'Completed' AND CloseTime >= '${since}'`;
    const query = flowQuery({ flow: [flow], query: wanted });
    const ask = async () => ({
      median: medianOf((await this.#list(query, MEDIAN_OF)).flows.map(durationOf)),
    });
    return { name: query, ask, goodForMs: MEDIAN_EVERY_MS };
  }

  #startedOf(flow: string, end: number): Question<number> {
    return this.#count({ flow: [flow], ...startedOnDay(end) }, goodFor(end));
  }

  /** @param name where the query itself tells the time */
  #count(options: FlowQueryOptions, goodForMs: number, name?: string): Question<number> {
    const query = flowQuery(options);
    const ask = async () => (await this.#ask(({ workflow }) => workflow.count(query))).count;
    return { name: name ?? query, ask, goodForMs };
  }

  #list(query: string, size: number): Promise<FoundPage> {
    return this.#ask((client) => foundPage(client, query, { size }));
  }

  #ask<Answer>(ask: (client: Client) => Promise<Answer>): Promise<Answer> {
    return askedTemporal(this.#parts, () => ask(this.#parts.client));
  }
}

const openOf = (processes: readonly FoundFlow[] = []): OpenOfFlow => ({ count: processes.length, processes });

type Nullable<Counts> = { [Name in keyof Counts]: Exclude<Counts[Name], undefined> | null };

const nullable = <Counts extends object>(counts: Counts): Nullable<Counts> =>
  Object.fromEntries(Object.entries(counts).map(([name, each]) => [name, each ?? null])) as Nullable<Counts>;

const NONE: EndedFigures = { count: 0, failed: 0, median: null };

/** In Temporal's query language. A run that continues as another one is no process of its own. */
const ENDED = "ExecutionStatus NOT IN ('Running', 'ContinuedAsNew')";

const startedOnDay = (end: number): FlowQueryOptions => ({
  startedAfter: isoOf(end - DAY_MS),
  startedBefore: isoOf(end),
  query: "ExecutionStatus != 'ContinuedAsNew'",
});

const goodFor = (end: number): number => (end <= Date.now() ? PAST_DAY_EVERY_MS : EVERY_MS);

const isoOf = (ms: number): string => new Date(ms).toISOString();

/** As the list of processes finds them. */
const hasFailedLately = ({ status, closedAt }: FoundFlow): boolean =>
  ['Failed', 'Terminated', 'TimedOut'].includes(status) &&
  Date.parse(closedAt ?? '') >= Date.now() - FAILED_DAYS * DAY_MS;

const durationOf = ({ startedAt, closedAt }: FoundFlow): number =>
  Date.parse(closedAt ?? '') - Date.parse(startedAt ?? '');

function byFlow(found: readonly FoundFlow[]): Map<string, FoundFlow[]> {
  const all = new Map<string, FoundFlow[]>();
  for (const each of found) {
    const known = all.get(each.flow);
    if (known) known.push(each);
    else all.set(each.flow, [each]);
  }
  return all;
}

export function medianOf(durations: readonly number[]): MedianDuration | null {
  const sorted = durations.filter((each) => each >= 0).sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) return null;
  const lower = sorted.length % 2 === 0 ? (sorted[middle - 1] ?? upper) : upper;
  return { ms: (lower + upper) / 2, of: sorted.length };
}
