// Whom a case is for first: of one booking the service knows best, of another file its own marks.
import { expect, test } from 'vitest';
import { message } from '../../../processes/commands/message.ts';
import { caseAbout } from '../../../processes/outreach/case-about.ts';
import { recipientOf } from '../../../processes/outreach/recipient.ts';
import { newBooking, newFileProgress, newProgress } from '../../support/progress.ts';

const issue = {
  shipmentUid: 's-1',
  stateCode: 'ReadyForPickup',
  stateStart: null,
  pupUid: 'pup-1',
  lockerName: '4',
  done: false,
};
const booked = { shipments: { issue } };

/** The service has another receiver by now than the process was started with. */
const aboutOf = async (type: string, progress: object, ...subjects: string[]) => {
  const described = {
    type,
    status: { name: 'RUNNING' },
    searchAttributes: { LockerSubjects: subjects },
  };
  const items = [{ shipmentUid: 's-1', toUserUid: 'user-olga' }];
  const commandContext = {
    client: { workflow: { getHandle: () => ({ describe: async () => described }) } },
    flows: { fileHandle: () => ({ progress: async () => progress }) },
    service: { call: async (operation: string) => ({ items: operation === 'GetShipments' ? items : [] }) },
  };
  return await caseAbout(commandContext as never, 'order-1');
};
const peopleOf = async (type: string, progress: object) =>
  (await aboutOf(type, progress, 'person:user-anna')).people;

test('a copy of a built-in flow is for whom the service says first, as that flow is', async () => {
  const receiverFirst = ['user-olga', 'user-anna'];
  expect(await peopleOf('Issue', newProgress(booked))).toEqual(receiverFirst);
  expect(await peopleOf('LendDrill', newProgress(booked))).toEqual(receiverFirst);
  const bookings = [newBooking(booked)];
  expect(await peopleOf('DeviceLoan', newFileProgress({ bookings }))).toEqual(receiverFirst.toReversed());
});

test('a message is for nobody whose booking is over, unless somebody says so', async () => {
  const bookings = [newBooking(booked)];
  const progress = newFileProgress({ bookings });
  const former = ['formerPerson:user-anna', 'person:user-anna'];
  const about = await aboutOf('Hold', progress, 'person:user-bram', ...former);
  expect(about).toMatchObject({ person: 'user-bram', former: ['user-anna'] });
  const atDesk = await aboutOf('Hold', progress, ...former);
  expect(atDesk).toMatchObject({ person: null, people: ['user-anna', 'user-olga'] });
  const service = { call: async () => ({ userUid: 'user-anna', firstName: 'Anna', lastName: 'Jansen' }) };
  const recipient = (to?: string) => recipientOf({ service } as never, 'order-1', atDesk, to);
  await expect(recipient()).rejects.toMatchObject({
    code: 'NobodyKnown',
    message: 'order-1 is for nobody now; say whom of its people it is to',
    fields: { to: 'must be one of user-anna, user-olga' },
  });
  const to = await recipient('user-anna');
  expect(message.formatPreview({ to, remark: 'the booking for them is over', text: 'Fetch it' })).toBe(
    'to Anna Jansen (the booking for them is over): Fetch it',
  );
});
