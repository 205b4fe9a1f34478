// The requests for a mechanic, of processes and of walls.
import { z } from 'zod';
import { MECHANIC_SUBJECT, type MechanicMemo, mechanicSubjects } from '../../contract/flows/outreach.ts';
import { foundOutreach, type OutreachParts, type OutreachSpan } from './found-outreach.ts';

export const mechanicAsked = z.object({
  at: z.string(),
  by: z.string().meta({ description: 'Who has asked' }),
  onBehalfOf: z.string().nullable().meta({ description: 'The person for whom a program said that it asked' }),
  why: z.string().nullable(),
  problem: z.string().meta({ description: 'What is wrong there' }),
  pupUid: z.string(),
  lockerName: z.string().nullable().meta({ description: 'Null: the whole wall' }),
  key: z.string().nullable().meta({ description: 'Of the process that has asked; null: none has' }),
  state: z.enum(['delivered', 'trying', 'refused']),
  words: z.string().meta({ description: 'What became of it, for people' }),
  runId: z.string(),
});
export type MechanicAsked = Readonly<z.infer<typeof mechanicAsked>>;

interface Wanted extends OutreachSpan {
  /** Undefined: every wall. */
  readonly pupUid?: string;
  /** Null: the wall as a whole; undefined: all of it. */
  readonly lockerName?: string | null;
}

/** The newest first. Throws CommandError (unreachable). */
export async function mechanicRequests(parts: OutreachParts, wanted: Wanted): Promise<MechanicAsked[]> {
  const { pupUid } = wanted;
  const [subject = MECHANIC_SUBJECT] = pupUid === undefined ? [] : mechanicSubjects(pupUid).slice(-1);
  const found = await foundOutreach(parts, subject, wanted, ({ mechanic }) => {
    const memo = mechanic as MechanicMemo | undefined;
    return memo && isAt(memo, wanted) ? memo : undefined;
  });
  return found.map(({ memo, ...became }) => ({ ...requestOf(memo), ...became }));
}

const isAt = ({ lockerName }: MechanicMemo, wanted: Wanted): boolean =>
  wanted.lockerName === undefined || lockerName === wanted.lockerName;

const requestOf = ({ by, onBehalfOf, why, problem, pupUid, lockerName, key }: MechanicMemo) => ({
  by,
  onBehalfOf: onBehalfOf ?? null,
  why: why ?? null,
  problem,
  pupUid,
  lockerName,
  key,
});

/** What was asked for before is no answer to what is wrong now. */
const RECENT_MS = 7 * 86_400_000;

/** The last one for a wall or a locker, whoever has asked; null: none is known. */
export async function lastMechanic(
  parts: OutreachParts,
  pupUid: string,
  lockerName: string | null,
): Promise<MechanicAsked | null> {
  const since = new Date(Date.now() - RECENT_MS).toISOString();
  const [last = null] = await mechanicRequests(parts, { pupUid, lockerName, since, most: 1 });
  return last;
}
