// What flows and the locker service disagree about, with what it means and what mends it: as the workers' schedule found it
// last, or this program itself, whichever is newer. What a program has found is lost when it ends, and can be had again.
import { z } from 'zod';
import { comparedService, type ServiceReader } from '../../shared/locker-api/compared-service.ts';
import { type ComparedService, type Comparison, compare } from '../../shared/routing/comparison/compare.ts';
import {
  type Disagreement,
  disagreementKinds,
  meaningOf,
  mendingOf,
} from '../../shared/routing/comparison/disagreement.ts';
import {
  ensureComparison,
  lastComparison,
  usualComparison,
} from '../../shared/routing/comparison/schedule.ts';
import { type AtTemporal, askedTemporal } from '../at-temporal.ts';
import { Refusal } from '../outcome.ts';
import { statuses, statusNamed } from './process-fields.ts';

const DAY_MS = 24 * 3_600_000;

export interface LastCompared {
  readonly comparison: Comparison | null;
  readonly isPlanned: boolean;
}

type Parts = Pick<AtTemporal, 'client' | 'taskQueue'>;

export class Comparisons {
  readonly #parts: Parts;
  readonly service: ComparedService;
  #own: Comparison | null = null;
  #running: Promise<Comparison> | null = null;

  constructor(parts: Parts, reader: ServiceReader) {
    this.#parts = parts;
    this.service = comparedService(reader);
  }

  async last(): Promise<LastCompared> {
    const { client, taskQueue } = this.#parts;
    const found = await askedTemporal({ client }, () => lastComparison(client, taskQueue));
    const isPlanned = found !== 'noSchedule';
    const planned = typeof found === 'string' ? null : found;
    return { isPlanned, comparison: newer(planned, this.#own) };
  }

  /** One at a time: a second person who asks gets the same one. */
  async now(): Promise<Comparison> {
    this.#running ??= this.#compare().finally(() => {
      this.#running = null;
    });
    return await this.#running;
  }

  /** The workers compare once a day from now on. */
  async daily(): Promise<void> {
    const { client, taskQueue } = this.#parts;
    await ensureComparison(client, { taskQueue, everyMs: DAY_MS, input: usualComparison });
  }

  async #compare(): Promise<Comparison> {
    const { client, taskQueue } = this.#parts;
    const { endedWithinMs, ...pace } = usualComparison;
    const endedSince = new Date(Date.now() - endedWithinMs);
    this.#own = await compare(client, this.service, { taskQueue, endedSince, ...pace });
    if (this.#own.unanswered.length > 0 && this.#own.flows === 0)
      throw new Refusal(
        'unreachable',
        'NoWorker',
        'No process answered: check that a worker runs, then compare again.',
      );
    return this.#own;
  }
}

function newer(one: Comparison | null, other: Comparison | null): Comparison | null {
  if (!one || !other) return one ?? other;
  return one.comparedAt > other.comparedAt ? one : other;
}

const known = z.string().nullable();

const disagreement = z
  .object({
    kind: z.enum(disagreementKinds),
    shipmentUid: z.string(),
    key: known.meta({ description: 'The process; null where there is none' }),
    status: z.enum(statuses).nullable().meta({ description: 'That of the process' }),
    role: known,
    flowState: known,
    serviceState: known,
    pupUid: known,
    lockerName: known,
    lockerUid: known,
    isItemIn: z.boolean().meta({ description: 'The process says that the item lies in the locker' }),
    meaning: z.string().meta({ description: 'In words, for people' }),
    mend: z.array(z.string()).meta({ description: 'Commands, the usual one first' }),
  })
  .meta({ title: 'Disagreement' });

export const comparisonView = z.object({
  isPlanned: z.boolean().meta({ description: 'Whether the workers compare by a schedule' }),
  comparison: z
    .object({
      comparedAt: z.string(),
      endedSince: z.string().meta({ description: 'Processes that ended before were not compared' }),
      flows: z.int().meta({ description: 'How many processes were compared' }),
      shipments: z.int().meta({ description: 'How many active shipments' }),
      isComplete: z
        .boolean()
        .meta({ description: 'False: the service has more active shipments than one comparison reads' }),
      unanswered: z.array(z.string()).meta({ description: 'Processes that did not answer' }),
      disagreements: z.array(disagreement),
    })
    .nullable()
    .meta({ description: 'Null: there was none yet' }),
});
export type ComparisonView = z.output<typeof comparisonView>;

export const shownComparison = ({ isPlanned, comparison }: LastCompared): ComparisonView => ({
  isPlanned,
  comparison: comparison && {
    ...comparison,
    unanswered: [...comparison.unanswered],
    disagreements: comparison.disagreements.map(shownDisagreement),
  },
});

function shownDisagreement(found: Disagreement): z.output<typeof disagreement> {
  const { workflowId: key, flowStatus, ...same } = found;
  return {
    ...same,
    key,
    status: flowStatus === null ? null : statusNamed(flowStatus),
    meaning: meaningOf(found),
    mend: [...mendingOf(found)],
  };
}
