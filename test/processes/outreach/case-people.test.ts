// Whom a case is for first: of one booking the service knows best, of another file its own marks.
import { expect, test } from 'vitest';
import { caseAbout } from '../../../processes/outreach/case-about.ts';
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
const peopleOf = async (type: string, progress: object) => {
  const described = {
    type,
    status: { name: 'RUNNING' },
    searchAttributes: { LockerSubjects: ['person:user-anna'] },
  };
  const items = [{ shipmentUid: 's-1', toUserUid: 'user-olga' }];
  const commandContext = {
    client: { workflow: { getHandle: () => ({ describe: async () => described }) } },
    flows: { fileHandle: () => ({ progress: async () => progress }) },
    service: { call: async (operation: string) => ({ items: operation === 'GetShipments' ? items : [] }) },
  };
  return (await caseAbout(commandContext as never, 'order-1')).people;
};

test('a copy of a built-in flow is for whom the service says first, as that flow is', async () => {
  const receiverFirst = ['user-olga', 'user-anna'];
  expect(await peopleOf('Issue', newProgress(booked))).toEqual(receiverFirst);
  expect(await peopleOf('LendDrill', newProgress(booked))).toEqual(receiverFirst);
  const bookings = [newBooking(booked)];
  expect(await peopleOf('DeviceLoan', newFileProgress({ bookings }))).toEqual(receiverFirst.toReversed());
});
