// Extends a deadline of a process, or gives one to a stage that has none.
import { z } from 'zod';
import { roles, stages } from '../../contract/flows/flow-input.ts';
import { durationMs } from '../../flow-files/duration.ts';
import { type Acting, answered } from '../at-temporal.ts';
import { Refusal } from '../outcome.ts';
import { bookingFlows } from '../views/booking-flows.ts';
import { askedBy, processCommand } from './command.ts';
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

export interface Extended {
  readonly role: string;
  readonly stage: string;
  /** Null: no worker answered, and the process alone knows it. */
  readonly until: string | null;
  /** The stage has not begun: the deadline holds once it does. */
  readonly isAhead: boolean;
}

export const extend = processCommand({
  ...{ name: 'extend', why: 'optional', input, asked: () => ['extendDeadline'], keyOf: ownerOf },
  async act(acting, key, given): Promise<Extended> {
    const { role, stage, until, fromNow = '' } = given;
    const handle = acting.flows.handle<'Issue'>(await ownerOf(acting, key, given));
    const whose = { role, stage, ...askedBy(acting) };
    const update = until === undefined ? { ...whose, fromNow } : { ...whose, until };
    await answered(acting, () => handle.extendDeadline(update));
    // It is extended, also where no worker answers this.
    const progress = await answered(acting, () => handle.progress()).catch(() => null);
    const deadline = progress?.deadlines.find((each) => each.role === role && each.stage === stage);
    return { role, stage, until: deadline?.until ?? null, isAhead: deadline?.ahead === true };
  },
  did: ({ stage, isAhead }) => (isAhead ? `extended; it holds once ${stage} begins` : 'extended'),
});

/** The key of the flow that has the role: a process of a flow file has begun it. */
async function ownerOf(acting: Acting, key: string, { role }: ExtendInput): Promise<string> {
  const flows = await bookingFlows(acting, key);
  const owners = flows
    .filter(({ progress }) => progress.shipments[role] !== undefined)
    .map((flow) => flow.key);
  const [owner = key, ...others] = owners;
  if (others.length === 0) return owner;
  const words = `several flows of ${key} have a ${role}; name one of them: ${owners.join(', ')}`;
  throw new Refusal('refused', 'UpdateRefused', words);
}
