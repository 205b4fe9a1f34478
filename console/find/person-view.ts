// What the pages of a person and of an item show beside their cases. The descriptions are those of the API's document.
import { z } from 'zod';
import { itemBecame } from '../../contract/flows/item-out.ts';
import { sentMessage } from '../../processes/outreach/sent-messages.ts';

const text = z.string().nullable();

const shipmentShown = z.object({
  shipmentUid: z.string(),
  title: text,
  reference: text,
  caseNo: text,
  stateCode: z.string(),
  stateWords: z.string().meta({ description: 'The state, for people' }),
  stateStart: text,
  hasEnded: z.boolean().meta({ description: 'Nothing can happen to it any more' }),
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
    messages: z
      .array(sentMessage.extend({ item: text.meta({ description: 'Which item it is about' }) }))
      .meta({ description: 'The last ones that people sent to them, within a month, the newest first' }),
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
    now: z
      .object({
        words: z.string(),
        pupUid: text,
        isWithPerson: z.boolean().meta({ description: 'Somebody took it out of a locker' }),
        userUid: text.meta({ description: 'Who has it; null for who may not act on processes' }),
        since: text,
        settled: z
          .object({ became: z.enum(itemBecame), by: z.string() })
          .nullable()
          .meta({ description: 'What a person has said of it, which no process waited for any more' }),
      })
      .nullable()
      .meta({ description: 'Where it is now; null: it is not known' }),
    holders: z
      .array(
        z.object({
          shipmentUid: z.string(),
          userUid: text.meta({ description: 'Null for who may not act on processes' }),
          from: z.string(),
          until: text.meta({
            description: 'Null: nobody has put it into a locker since, or said what became of it',
          }),
        }),
      )
      .meta({ description: 'Those who took it out of a locker, the last first' }),
    movements: z
      .array(
        z.object({
          shipmentUid: z.string(),
          at: z.string(),
          words: z.string(),
          pupUid: text,
          isTakenOut: z
            .literal(true)
            .exactOptional()
            .meta({ description: 'Its receiver, or the desk, took it out' }),
        }),
      )
      .meta({
        description: 'Into lockers and out of them, and what somebody said became of it; the last first',
      }),
    ...shipments,
  })
  .meta({ title: 'Item' });
export type ItemView = Readonly<z.infer<typeof itemView>>;
