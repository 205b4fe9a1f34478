// What the locker service has of a booking whose answer was lost, by its case number: a person who decides sees it first, and chooses
// a found shipment instead of booking a second one. It decides nothing.
import { z } from 'zod';
import type { BookingProgress } from '../contract/flows/booking-progress.ts';
import type { ProcessProgress } from '../contract/flows/flow-answers.ts';
import { hasEnded } from '../contract/wire/states.ts';
import type { LockerApi } from '../shared/locker-api/index.ts';
import { t } from '../shared/texts/text.ts';
import { type ActionForm, WHY_FIELD } from './action-forms/question-forms.ts';
import { commandErrorOf } from './outcome.ts';
import { formatRole } from './views/format-names.ts';
import { wholeBooking } from './views/progress.ts';

const foundShipment = z.object({
  shipmentUid: z.string(),
  pupUid: z.string().nullable(),
  lockerName: z.string().nullable(),
  /** When its present state began: of one that nobody has used, when it was booked. */
  since: z.string().nullable(),
});
type FoundShipment = Readonly<z.infer<typeof foundShipment>>;

export const doubtAnswer = z
  .object({
    booking: z.string().meta({ description: 'Its id within the process' }),
    askedAt: z.string(),
    found: z.array(foundShipment).meta({ description: 'The shipments with its case number' }),
    unread: z.string().nullable().meta({
      description: 'Why the service did not say all, so that finding none proves nothing; null: it said all',
    }),
  })
  .meta({ description: 'What the locker service has of a booking that is in doubt' });
export type DoubtAnswer = Readonly<z.infer<typeof doubtAnswer>>;

type Service = Pick<LockerApi, 'call'>;
type InDoubt = Pick<BookingProgress, 'id' | 'caseNo' | 'doubt'>;

export const bookingsInDoubt = ({
  bookings,
}: Pick<ProcessProgress, 'bookings'>): readonly BookingProgress[] =>
  bookings.filter(({ doubt }) => doubt !== undefined);

/** More than the shipments of any operation: whoever has as many with one case number looks at the service. */
const MAX_FOUND = 50;

/** It never fails for what the service says: then `unread` has why. */
export async function askAboutDoubt(service: Service, key: string, booking: InDoubt): Promise<DoubtAnswer> {
  const asked = { booking: booking.id, askedAt: new Date().toISOString() };
  // A booking has the key of its process as its case number unless the request says otherwise.
  const referenceCaseNo = booking.caseNo ?? key;
  try {
    const page = await service.call('GetShipments', { pageNo: 1, pageSize: MAX_FOUND, referenceCaseNo });
    const { items, totalItems, nextCursor } = page;
    const isWhole = nextCursor == null && items.length < MAX_FOUND && items.length >= (totalItems ?? 0);
    // A service that does not know the filter lists the others too.
    const own = items.filter((each) => each.referenceCaseNo === referenceCaseNo && !hasEnded(each.stateCode));
    const found = own.flatMap(({ shipmentUid, pupUid, lockerName, stateStart }): FoundShipment[] =>
      shipmentUid
        ? [{ shipmentUid, pupUid, lockerName, since: stateStart === null ? null : `${stateStart}Z` }]
        : [],
    );
    return { ...asked, found, unread: isWhole ? null : t`it lists more shipments than are read here` };
  } catch (error) {
    const refusal = commandErrorOf(error);
    if (!refusal) throw error;
    const unread = refusal.code === 'UnknownOperation' ? t`it does not list its shipments` : refusal.message;
    return { ...asked, found: [], unread };
  }
}

export const isNoneFound = ({ found, unread }: DoubtAnswer): boolean => found.length === 0 && unread === null;

interface Deciding {
  readonly progress: ProcessProgress;
  readonly doubts: readonly DoubtAnswer[];
  /** By pupUid. */
  readonly names?: ReadonlyMap<string, string> | undefined;
}

/** The forms of a process, its decisions about bookings in doubt as what was found allows them. */
export function formsInDoubt(
  forms: readonly ActionForm[],
  { progress, doubts, names }: Deciding,
): ActionForm[] {
  if (doubts.length === 0) return [...forms];
  const all = forms.flatMap((form) => {
    const answer = doubts.find(({ booking }) => booking === bookingOf(form, progress));
    if (!answer) return [form];
    if (form.command === 'retry') return [retryForm(form, answer)];
    return form.command === 'adopt' ? adoptForms(form, answer, { progress, doubts, names }) : [form];
  });
  // What harms nothing comes first.
  const best = doubts.every(isNoneFound) ? 'retry' : 'adopt';
  const rank = ({ command, isDestructive }: ActionForm) => (isDestructive ? 2 : Number(command !== best));
  return all.toSorted((one, other) => rank(one) - rank(other));
}

/** Only that of the whole process has no name in its forms. */
function bookingOf({ request }: ActionForm, progress: ProcessProgress): string | undefined {
  const { booking = wholeBooking(progress)?.id } = request.body as { readonly booking?: string };
  return booking;
}

/** Whoever books again although it was booked has two lockers, and nobody gives one back. */
function retryForm(form: ActionForm, answer: DoubtAnswer): ActionForm {
  const { isDestructive: _, ...mild } = form;
  if (isNoneFound(answer))
    return {
      ...mild,
      consequence: t`The locker service has no booking of this case (asked ${answer.askedAt}), so this books once.`,
    };
  const why =
    answer.found.length > 0
      ? t`The locker service has ${countOf(answer)} of this case already: this books one more, and nobody gives the first one back.`
      : t`Whether it was booked could not be asked (${answer.unread}): this may book a second locker.`;
  return { ...form, consequence: `${why} ${form.consequence}`, isDestructive: true };
}

export const countOf = ({ found }: Pick<DoubtAnswer, 'found'>): string =>
  found.length === 1 ? t`one booking` : t`${found.length} bookings`;

export const formatFound = (
  { pupUid, lockerName, since }: FoundShipment,
  names: ReadonlyMap<string, string> = new Map(),
): string =>
  [
    lockerName === null ? t`a locker that it does not name` : t`locker ${lockerName}`,
    ...(pupUid === null ? [] : [names.get(pupUid) ?? pupUid]),
    ...(since === null ? [] : [since]),
  ].join(', ');

function adoptForms(form: ActionForm, answer: DoubtAnswer, { progress, names }: Deciding): ActionForm[] {
  const { found, booking } = answer;
  const legs = progress.bookings.find(({ id }) => id === booking)?.legs ?? [];
  const [only, ...others] = legs;
  if (found.length === 0 || !only) return [form];
  // Which of several is which only a person knows.
  if (others.length > 0) return [{ ...form, label: CHOOSE(), fields: chosenFields(form, answer, names) }];
  return found.map((shipment) => ({
    ...form,
    id: `${form.id}:${shipment.shipmentUid}`,
    label: found.length === 1 ? CHOOSE() : t`${CHOOSE()}: locker ${shipment.lockerName ?? t`unknown`}`,
    consequence: t`The case goes on with what was booked: ${formatFound(shipment, names)}. It books nothing more.`,
    fields: [{ ...WHY_FIELD(), suggested: t`The locker service has it with the number of this case.` }],
    request: {
      ...form.request,
      body: { ...form.request.body, shipments: { [only.role]: shipment.shipmentUid } },
    },
  }));
}

const CHOOSE = () => t`It was booked: choose it`;

/** How the fields begin that name the shipment of a role. */
const OF_ROLE = 'shipments.';

const chosenFields = (
  { fields }: ActionForm,
  { found }: DoubtAnswer,
  names: ReadonlyMap<string, string> | undefined,
): ActionForm['fields'] =>
  fields.map((field) => {
    if (!field.name.startsWith(OF_ROLE)) return field;
    const { hint: _, ...rest } = field;
    return {
      ...rest,
      label: formatRole(field.name.slice(OF_ROLE.length)),
      kind: 'select',
      options: found.map(({ shipmentUid }) => shipmentUid),
      optionLabels: found.map((each) => formatFound(each, names)),
    };
  });
