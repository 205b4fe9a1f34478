// What a search of everything finds. The descriptions are those of the API's document.
import { z } from 'zod';
import { processRow } from '../../processes/views/process-list.ts';

const text = z.string().nullable();

const personFound = z.object({
  userUid: z.string(),
  name: z.string(),
  emailAddress: text,
  phoneNumber: text,
  open: z.int().meta({ description: 'How many open cases are for this person, or of them' }),
});
export type PersonFound = Readonly<z.infer<typeof personFound>>;

const itemFound = z.object({
  title: z.string(),
  reference: text.meta({ description: 'Its reference number, like the number of a parcel' }),
  shipmentUid: z.string(),
  stateCode: z.string(),
  pupUid: text,
  pupName: text,
  lockerName: text.meta({ description: 'Null: it is in no locker' }),
});
export type ItemFound = Readonly<z.infer<typeof itemFound>>;

const lockerFound = z.object({
  pupUid: z.string(),
  pupName: z.string(),
  lockerUid: z.string(),
  lockerName: z.string(),
  state: z.string(),
  isInside: z.boolean().meta({ description: 'An item is in it, as far as it is known' }),
  doorOpenSince: text.meta({
    description: 'Since when its door stands open; null: it does not, or it is not known',
  }),
});
export type LockerFound = Readonly<z.infer<typeof lockerFound>>;

export const found = z
  .object({
    people: z.array(personFound).meta({ description: 'None for who may not act on processes' }),
    items: z.array(itemFound),
    cases: z
      .array(processRow)
      .meta({ description: 'That whose key is the text, then the open ones, then those that ended last' }),
    lockers: z.array(lockerFound),
    isComplete: z.boolean().meta({ description: 'False: there is more; a longer text finds it' }),
    unread: z.array(z.string()).meta({ description: 'What could not be searched, for people' }),
  })
  .meta({ title: 'Found' });
export type Found = Readonly<z.infer<typeof found>>;
