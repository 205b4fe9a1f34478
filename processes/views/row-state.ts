// What a row of a list says of an open process: where the item is, what is next and until when, and since when somebody waits.
import { z } from 'zod';
import type { ProcessProgress, WaitingFor } from '../../contract/flows/flow-answers.ts';
import type { Role, Stage } from '../../contract/flows/flow-input.ts';
import { waitCodes } from '../../contract/flows/wait-codes.ts';
import { t } from '../../shared/texts/text.ts';
import { awaitedOf, endOf, formatNextOfHalted, isCollectedByDesk } from './awaited.ts';
import { capitalized } from './format-names.ts';
import { formatBooked, ofBooking, type WhereTexts, whereOf } from './item-locations.ts';
import { formatInShort } from './wait-texts.ts';

/** What people do at lockers, as far as they are asked to. */
export const steps = ['bringBack', 'putIn', 'deskPutsIn', 'nameReceiver', 'deskTakesOut', 'pickUp'] as const;
export type Step = (typeof steps)[number];

export const rowState = {
  where: z
    .object({
      words: z.string(),
      pupUid: z.string().nullable(),
      isWithPerson: z
        .literal(true)
        .exactOptional()
        .meta({ description: 'Somebody has it, and is to bring it back' }),
    })
    .nullable()
    .meta({ description: 'Where the item is; null: it is not known, or there is none' }),
  next: z
    .object({
      words: z.string(),
      code: z
        .enum(waitCodes)
        .nullable()
        .meta({ description: 'As `waitingFor` of the process has it; null: it stands still' }),
      step: z
        .enum(steps)
        .nullable()
        .meta({ description: 'What somebody is to do at a locker; null: it waits for something else' }),
      since: z.string().nullable().meta({ description: 'Since when it is waited for' }),
      until: z.string().nullable(),
      isOverdue: z.boolean(),
      isForUs: z.boolean().meta({ description: 'A person who works here must do it' }),
    })
    .nullable()
    .meta({ description: 'What it waits for, the most urgent' }),
};
export type RowState = Readonly<z.infer<z.ZodObject<typeof rowState>>>;

export function rowStateOf(progress: ProcessProgress): RowState {
  const [where = null] = whereOf(progress, true, inShort);
  const [awaited] = awaitedOf(progress);
  const timed = progress.waitingFor.find(({ kind }) => kind === 'time');
  const next = nextOf(progress, awaited ?? timed);
  const late = lateWaitOf(progress);
  if (!next || !late || progress.halted) return { where, next };
  const { code, since = null, until } = late;
  return { where, next: { ...next, ...(code === 'Overdue' && { since }), until, isOverdue: true } };
}

/** What is late the longest: a question that it asks meanwhile may have its end ahead. */
const lateWaitOf = ({ waitingFor }: ProcessProgress): WaitingFor | undefined =>
  waitingFor
    .filter(({ isOverdue }) => isOverdue)
    .sort((one, other) => Date.parse(one.until ?? '') - Date.parse(other.until ?? ''))[0];

/** What somebody is late with at a locker; undefined: nobody is. */
export function lateStepOf(progress: ProcessProgress): string | undefined {
  const late = progress.waitingFor.find((each) => each.isOverdue && stepOf(each) !== null);
  return nextOf(progress, late)?.words;
}

const inShort: WhereTexts = {
  left: (locker) => t`Left in ${locker}`,
  withUser: (locker) => t`With them${formatBooked(locker)}`,
  notYet: (locker) => t`Not in ${locker ?? t`a locker`} yet`,
  inside: (locker) => capitalized(locker),
};

function nextOf(progress: ProcessProgress, awaited: WaitingFor | undefined): RowState['next'] {
  if (progress.halted)
    return {
      words: formatNextOfHalted(progress.halted),
      code: null,
      step: null,
      since: progress.halted.since ?? null,
      until: null,
      isOverdue: false,
      isForUs: true,
    };
  if (!awaited) return null;
  const { kind, code, since, isOverdue = false } = awaited;
  const step = stepOf(awaited);
  return {
    words: ofBooking(progress, awaited.booking, step ? stepWords()[step] : formatInShort(awaited, progress)),
    code,
    step,
    since: since ?? null,
    until: endOf(awaited),
    isOverdue,
    isForUs: kind === 'decision' || kind === 'answer',
  };
}

const stepsOf: Readonly<Record<Stage, Readonly<Partial<Record<Role, Step>>> & { readonly else: Step }>> = {
  dropOff: { intake: 'bringBack', shipment: 'putIn', else: 'deskPutsIn' },
  receiver: { else: 'nameReceiver' },
  pickUp: { intake: 'deskTakesOut', else: 'pickUp' },
};

const stepWords = (): Readonly<Record<Step, string>> => ({
  bringBack: t`Bring back`,
  putIn: t`Put in`,
  deskPutsIn: t`The desk puts it in`,
  nameReceiver: t`Say who receives it`,
  deskTakesOut: t`The desk takes it out`,
  pickUp: t`Pick up`,
});

export function stepOf(awaited: WaitingFor): Step | null {
  const { stage, role } = awaited;
  if (isCollectedByDesk(awaited)) return 'deskTakesOut';
  return stage && role ? (stepsOf[stage][role] ?? stepsOf[stage].else) : null;
}
