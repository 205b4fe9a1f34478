// Which deadline or timer a command names, and the process whose it is: the one that is named, or one that it has started.
import type { BookingProgress } from '../../contract/flows/booking-progress.ts';
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import type { Role, Stage } from '../../contract/flows/flow-input.ts';
import { t } from '../../shared/texts/text.ts';
import { refused } from '../outcome.ts';
import type { CommandContext } from '../temporal-context.ts';
import { bookingFlows, bookingFlowsOf, progressOf } from '../views/progress.ts';

export interface NamedEnd {
  readonly role?: Role | undefined;
  readonly stage?: Stage | undefined;
  readonly booking?: string | undefined;
  readonly timer?: string | undefined;
}

/** The flow in which the deadline was found that `next` stands for: who is asked for the owner need not ask all of them again. */
const ownersOfNext = new WeakMap<NamedEnd, string>();

/** With its name in the place of `next`. */
export async function named<Given extends NamedEnd & { readonly next?: true | undefined }>(
  commandContext: CommandContext,
  key: string,
  given: Given,
): Promise<Given> {
  const { next: isNext, booking, ...end } = given;
  if (!isNext) return given;
  const progress = await progressOf(commandContext, key);
  const flows = await bookingFlowsOf(commandContext, key, progress);
  const [first] = [{ key, progress }, ...flows]
    .flatMap((flow) => {
      const found = nextEndOf(flow.progress, booking);
      return found ? [{ ...found, owner: flow.key }] : [];
    })
    .sort(byEnd);
  if (first) {
    const { until: _, owner, ...deadline } = first;
    const which = { ...end, ...deadline } as Given;
    ownersOfNext.set(which, owner);
    return which;
  }
  throw refused('NoDeadlineRuns', t`no deadline of ${key} runs`);
}

/**
 * What ends first, of what the process itself waits for; undefined: nothing.
 *
 * @param booking only of this one
 */
export function nextEndOf(
  { bookings, waitingFor }: ProcessProgress,
  booking?: string,
): (NamedEnd & { readonly until: string }) | undefined {
  const deadlines = bookings
    .filter(({ id }) => booking === undefined || id === booking)
    .flatMap(({ id, isWhole, deadlines: ends }) =>
      ends.flatMap(({ role, stage, until, ahead }) =>
        ahead ? [] : [{ role, stage, until, ...(!isWhole && { booking: id }) }],
      ),
    );
  const timers = waitingFor.flatMap(({ kind, id, until }) =>
    kind === 'time' && id !== undefined && until !== null ? [{ timer: id, until }] : [],
  );
  const all = booking === undefined ? [...deadlines, ...timers] : deadlines;
  return all.toSorted(byEnd)[0];
}

const byEnd = (one: { readonly until: string }, other: { readonly until: string }): number =>
  Date.parse(one.until) - Date.parse(other.until);

/** The key of the flow that has the role: a process of a flow file has begun it. */
export async function ownerOf(commandContext: CommandContext, key: string, which: NamedEnd): Promise<string> {
  const known = ownersOfNext.get(which);
  if (known !== undefined) return known;
  const owners = await ownersOf(commandContext, key, which);
  const [owner, ...others] = owners;
  if (!owner) return key;
  if (others.length === 0) return owner.key;
  // Its id is one of the process that is named.
  if (which.booking !== undefined && hasItself(owners, key)) return key;
  const names = owners.map((each) =>
    each.key === key ? t`${key} with the booking ${each.bookings.join(', ')}` : each.key,
  );
  const words = t`several flows of ${key} have the leg ${which.role ?? ''}; name one of them: ${names.join('; ')}`;
  throw refused('UpdateRefused', words);
}

/** What has moved a deadline names the flow whose it is: that one, though those that it has started have such a leg, too. */
export async function movedOwnerOf(
  commandContext: CommandContext,
  key: string,
  which: NamedEnd,
): Promise<string> {
  const owners = await ownersOf(commandContext, key, which);
  return hasItself(owners, key) ? key : await ownerOf(commandContext, key, which);
}

interface Owner {
  readonly key: string;
  /** The ids of those that have the leg. */
  readonly bookings: readonly string[];
}

const hasItself = (owners: readonly Owner[], itself: string): boolean =>
  owners.some(({ key }) => key === itself);

/** None for a timer, which is the process's own. */
async function ownersOf(
  commandContext: CommandContext,
  key: string,
  { role, booking }: NamedEnd,
): Promise<readonly Owner[]> {
  if (role === undefined) return [];
  const isOf = ({ id, shipments }: BookingProgress) =>
    shipments[role] !== undefined && (booking === undefined || id === booking);
  const flows = await bookingFlows(commandContext, key);
  return flows
    .map((flow) => ({ key: flow.key, bookings: flow.progress.bookings.filter(isOf).map(({ id }) => id) }))
    .filter(({ bookings }) => bookings.length > 0);
}
