// Extends a deadline of a process, or gives one to a stage that has none.
import { z } from 'zod';
import { roles, type Stage, stages } from '../../contract/flows/flow-input.ts';
import type { DeadlineRule } from '../../contract/flows/flow-input-check.ts';
import type { ExtendDeadline, Progress } from '../../contract/flows/flow-messages.ts';
import { flowRules } from '../../contract/flows/flow-rules.ts';
import { durationMs } from '../../flow-files/duration.ts';
import { type Acting, answered } from '../at-temporal.ts';
import { nowOf } from '../flow-clock.ts';
import { Refusal } from '../outcome.ts';
import { command, ofOpenProcess } from './command.ts';
import { oneOf } from './read-values.ts';

const input = z
  .strictObject({
    role: oneOf(roles),
    stage: oneOf(stages),
    /** From now on. */
    fromNow: z
      .string()
      .refine((text) => durationMs(text) !== null, 'must be a duration like P2D or PT12H')
      .optional(),
    until: z.iso
      .datetime({ offset: true, error: 'is not a time; expected one like 2031-05-01T12:00:00Z' })
      .transform((text) => new Date(text).toISOString())
      .optional(),
  })
  .refine(({ fromNow, until }) => (fromNow === undefined) !== (until === undefined), {
    message: 'either how long from now, or until when',
    path: ['fromNow'],
  });
export type ExtendInput = z.infer<typeof input>;
type Input = ExtendInput;

export interface Extension {
  readonly role: string;
  readonly stage: Stage;
  /** The end as it is; null: the stage has none. */
  readonly from: string | null;
  readonly to: string;
  readonly stateCode: string | null;
  /** The stage has not begun: the deadline holds once it does. */
  readonly isAhead: boolean;
}

export const extend = command({
  ...{ name: 'extend', right: 'decide', why: 'optional', input },
  flowOf: ofOpenProcess,
  async preview(acting, key: string, given: Input): Promise<Extension> {
    const progress = await progressOf(acting, key);
    requireExtensible(progress, given);
    return extensionOf(given, progress, untilOf(given, await nowOf(acting, key)));
  },
  async act(acting, key, given): Promise<Extension | null> {
    await answered(acting, () => acting.flows.handle(key).extendDeadline(updateOf(acting, given)));
    // It is extended, also where no worker answers this.
    const progress = await progressOf(acting, key).catch(() => null);
    const deadline = progress && deadlineIn(given, progress);
    return deadline ? extensionOf(given, progress, deadline.until) : null;
  },
  would: (extension) => {
    const { role, stage, from, to, isAhead } = extension;
    const change = `${role}.${stage}: ${from ?? 'no deadline'} -> ${to}`;
    return isAhead ? `${change}; ${aheadWords(extension)}` : change;
  },
  did: (extension) => (extension?.isAhead ? `extended; ${aheadWords(extension)}` : 'extended'),
});

const aheadWords = ({ role, stage, stateCode }: Extension): string =>
  `${role} is ${stateCode ?? 'not known yet'}: the deadline holds once ${stage} begins`;

const progressOf = (acting: Acting, key: string): Promise<Progress> =>
  answered(acting, () => acting.flows.handle<'Issue'>(key).progress());

function updateOf({ by, why }: Acting, { role, stage, until, fromNow = '' }: Input): ExtendDeadline {
  const whose = { role, stage, by, ...(why && { why }) };
  return until === undefined ? { ...whose, fromNow } : { ...whose, until };
}

/** Throws a Refusal where the process would refuse it. The process itself decides again. */
function requireExtensible(progress: Progress, { role, stage }: Input): void {
  const refusal = (words: string) => new Refusal('refused', 'UpdateRefused', words);
  const rules: Readonly<Record<string, { readonly deadlines: readonly DeadlineRule[] }>> = flowRules;
  const { deadlines = [] } = rules[progress.flow] ?? {};
  if (!deadlines.some((each) => each.role === role && each.stage === stage)) {
    const possible = deadlines.map((each) => `${each.role}.${each.stage}`).join(', ');
    throw refusal(
      `${progress.flow} has no deadline ${role}.${stage}; expected ${possible || 'none: it takes no deadline'}`,
    );
  }
  if (progress.activity !== 'Following')
    throw refusal(
      `a deadline can be extended only while the shipments are followed; the flow is ${progress.activity}`,
    );
  const { stateCode } = progress.shipments[role] ?? {};
  if (stateCode && (endOf[stateCode] ?? -1) > order[stage])
    throw refusal(`${role} is ${stateCode}, beyond ${stage}`);
}

const untilOf = ({ until, fromNow }: Input, now: Date): string =>
  until ?? new Date(now.getTime() + (durationMs(fromNow) ?? 0)).toISOString();

const deadlineIn = ({ role, stage }: Input, { deadlines }: Progress) =>
  deadlines.find((each) => each.role === role && each.stage === stage);

function extensionOf(given: Input, progress: Progress, to: string): Extension {
  const { role, stage } = given;
  const stateCode = progress.shipments[role]?.stateCode ?? null;
  const isAhead = stateCode === null || endOf[stateCode] !== order[stage];
  return { role, stage, stateCode, isAhead, from: deadlineIn(given, progress)?.until ?? null, to };
}

const order: Readonly<Record<Stage, number>> = { dropOff: 0, receiver: 1, pickUp: 2 };

/** The stage that a state belongs to; an ended shipment is beyond all of them. */
const endOf: Readonly<Record<string, number>> = {
  ReadyForDropoff: order.dropOff,
  WaitForReceiver: order.receiver,
  ReadyForPickup: order.pickUp,
  Completed: 3,
  Cancelled: 3,
};
