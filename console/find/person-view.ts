// What the pages of a person and of an item show beside their cases. The descriptions are those of the API's document.
import { z } from 'zod';

const text = z.string().nullable();

const shipmentShown = z.object({
  shipmentUid: z.string(),
  title: text,
  reference: text,
  caseNo: text,
  stateCode: z.string(),
  stateWords: z.string().meta({ description: 'The state, for people' }),
  stateStart: text,
  fromUserUid: text,
  toUserUid: text,
  pupUid: text,
  lockerName: text,
});
export type ShipmentShown = Readonly<z.infer<typeof shipmentShown>>;

const shipments = {
  shipments: z.array(shipmentShown).meta({
    description: 'Of the locker service, the newest first: it keeps them longer than Temporal keeps cases',
  }),
  isComplete: z.boolean().meta({ description: 'False: there are more' }),
  unread: z.array(z.string()).meta({ description: 'What could not be read, for people' }),
};

export const personView = z
  .object({
    userUid: z.string(),
    name: z.string(),
    emailAddress: text,
    phoneNumber: text,
    languageCode: text,
    ...shipments,
  })
  .meta({ title: 'Person' });
export type PersonView = Readonly<z.infer<typeof personView>>;

export const itemView = z
  .object({
    reference: z.string(),
    title: z
      .string()
      .meta({ description: 'Its description, for who may act on processes, else its reference' }),
    people: z
      .array(z.object({ userUid: z.string(), name: z.string() }))
      .meta({ description: 'Those of the shipments; none for who may not act on processes' }),
    ...shipments,
  })
  .meta({ title: 'Item' });
export type ItemView = Readonly<z.infer<typeof itemView>>;
