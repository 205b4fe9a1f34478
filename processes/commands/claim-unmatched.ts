// Gives the reports of an unmatched callback to a running process, from its workflow `UnmatchedCallback`, which keeps who decided and
// why.
import { z } from 'zod';
import { startedWith } from '../../client/started-with.ts';
import type { Claim, UnmatchedInput } from '../../contract/flows/unmatched-callback.ts';
import { t } from '../../shared/texts/text.ts';
import { refused } from '../outcome.ts';
import { type CommandContext, namedDecisionOf, requireOpen } from '../temporal-context.ts';
import { progressOf, shipmentsIn } from '../views/progress.ts';
import { atUnmatched, requireUnmatched } from '../views/unmatched.ts';
import { command } from './command.ts';
import { text } from './read-values.ts';

const input = z.strictObject({
  /** The business key of the process. */
  to: text,
});
type Input = z.infer<typeof input>;

/** The target is the workflow id of the unmatched callback (`unmatchedIdOf`). */
export const claimUnmatched = command({
  name: 'claim',
  right: 'decide',
  why: 'needed',
  input,
  flowOf: async (commandContext, unmatchedId: string, { to }: Input) => {
    await requireUnmatched(commandContext.client, unmatchedId);
    return await requireOpen(commandContext.client, to);
  },
  async preview(commandContext, unmatchedId, given) {
    await requireUse(commandContext, unmatchedId, given);
    return { to: given.to };
  },
  async act(commandContext, unmatchedId, given) {
    // Reported here at once; the unmatched callback would try it for some time first.
    await requireUse(commandContext, unmatchedId, given);
    const decision: Claim = { ...namedDecisionOf(commandContext), workflowId: given.to };
    await atUnmatched(commandContext, unmatchedId, (handle) =>
      handle.executeUpdate('claim', { args: [decision] }),
    );
    return { to: given.to };
  },
  formatPreview: ({ to }) => t`${to} gets the reports as if they had just come`,
  formatResult: () => t`claimed`,
});

/**
 * Throws where the process cannot use the reports, before they are claimed. One that knows its shipments takes reports of
 * those alone; one that still books may yet adopt others.
 */
async function requireUse(
  commandContext: CommandContext,
  unmatchedId: string,
  { to: key }: Input,
): Promise<void> {
  const [{ input: unmatched }, progress] = await Promise.all([
    startedWith(commandContext.client, unmatchedId),
    progressOf(commandContext, key).catch(() => null),
  ]);
  const { kind, ...of } = unmatched as UnmatchedInput;
  if (kind !== 'shipment' || !progress || !('shipmentUid' in of)) return;
  const { bookings } = progress;
  if (bookings.length === 0 || bookings.some(({ activity }) => activity !== 'Following')) return;
  if (shipmentsIn(progress).some(({ shipment }) => shipment.shipmentUid === of.shipmentUid)) return;
  throw refused(
    'NotItsShipment',
    t`${key} has no shipment ${of.shipmentUid} and cannot use its reports, so nothing was claimed; make it one of its shipments first: “${t`Say which shipment is which`}” on its page, or lockerflow adopt`,
  );
}
