// Where an item is, and who had it: by what the service tells of its shipments. Stock and reservations had nobody.
import { describe, expect, test } from 'vitest';
import { historyOf, type ShipmentWithEvents } from '../../../console/find/item-history.ts';
import { cameToNothing } from '../../../console/page/find/came-to-nothing.ts';

type Change = readonly [stateCode: string, hour: number];

const at = (hour: number) => `2031-05-01T${String(hour).padStart(2, '0')}:00:00.000`;

function shipment(
  shipmentUid: string,
  { to = null, locker = '15' }: { readonly to?: string | null; readonly locker?: string },
  changes: readonly Change[],
): ShipmentWithEvents {
  const [stateCode, hour] = changes.at(-1) ?? ['Registered', 0];
  return {
    shipment: {
      shipmentUid,
      title: 'Laptop 7',
      reference: 'laptop-7',
      caseNo: null,
      stateCode,
      stateWords: '',
      stateStart: `${at(hour)}Z`,
      hasEnded: stateCode === 'Completed' || stateCode === 'Cancelled',
      fromUserUid: null,
      toUserUid: to,
      pupUid: 'pup-central',
      lockerName: locker,
    },
    events: changes.map(([code, when]) => ({
      kind: 'StateChanged',
      occurredAt: at(when),
      stateCode: code,
      operation: null,
      outcome: null,
    })),
  };
}

const event = { stateCode: null, outcome: null };

const loan = shipment('issue', { to: 'anna' }, [
  ['ReadyForDropoff', 8],
  ['WaitForReceiver', 9],
  ['ReadyForPickup', 10],
  ['Completed', 11],
]);
const stock = shipment('stock', { locker: '16' }, [
  ['Registered', 10],
  ['WaitForReceiver', 14],
]);

describe('an item', () => {
  test('that was brought back is in stock; who had it did so until then', () => {
    const { now, holders, movements } = historyOf([stock, loan]);
    expect(now).toEqual({
      words: 'In stock, locker 16',
      pupUid: 'pup-central',
      isWithPerson: false,
      userUid: null,
      since: `${at(14)}Z`,
      settled: null,
    });
    expect(holders).toEqual([
      { shipmentUid: 'issue', userUid: 'anna', from: `${at(11)}Z`, until: `${at(14)}Z` },
    ]);
    expect(movements.map(({ words }) => words)).toEqual([
      'Put into locker 16',
      'Taken out of locker 15',
      'Put into locker 15',
    ]);
  });

  test('that was taken out and not put in since is with who took it', () => {
    const intake = shipment('intake', { locker: '16' }, [['ReadyForDropoff', 11]]);
    const { now } = historyOf([intake, loan]);
    expect(now).toMatchObject({ isWithPerson: true, userUid: 'anna', since: `${at(11)}Z` });
  });

  test('that was only reserved, or taken out for nobody, had nobody, and nobody knows where it is', () => {
    const reserved = shipment('reserved', { to: 'joost' }, [
      ['ReadyForDropoff', 8],
      ['Cancelled', 9],
    ]);
    const taken = shipment('taken', {}, [
      ['WaitForReceiver', 6],
      ['Completed', 7],
    ]);
    const { now, holders, movements } = historyOf([reserved, taken]);
    expect([now, holders]).toEqual([null, []]);
    expect(movements.map(({ words }) => words)).toEqual(['Taken out of locker 15', 'Put into locker 15']);
  });

  test('that was cancelled before anybody put it in was never in a locker; one that is still to come is not in one yet', () => {
    const cancelled = shipment('cancelled', { to: 'rosa' }, [
      ['ReadyForDropoff', 8],
      ['Cancelled', 9],
    ]);
    const coming = shipment('coming', { to: 'rosa' }, [['ReadyForDropoff', 8]]);
    const words = 'It was never put into a locker';
    expect(historyOf([cancelled]).now).toMatchObject({ words, since: null });
    expect(historyOf([coming, cancelled]).now).toMatchObject({ words: 'Not put into a locker yet' });
    expect(historyOf([cancelled], [], { isComplete: false }).now).toBeNull();
    expect(historyOf([{ ...cancelled, events: null }]).now).toBeNull();
  });

  test('that somebody said to be back, or wrote off, has nobody since then, until it is put in again', () => {
    const said = (became: 'Back' | 'WrittenOff', hour: number) => ({
      shipmentUid: 'intake',
      became,
      by: 'mila',
      why: 'she handed it in',
      at: `${at(hour)}Z`,
      runId: '1',
    });
    const back = historyOf([loan], [said('Back', 12)]);
    expect(back.now).toMatchObject({ words: 'Back', since: `${at(12)}Z`, settled: { by: 'mila' } });
    expect(back.holders).toMatchObject([{ userUid: 'anna', until: `${at(12)}Z` }]);
    expect(back.movements[0]).toMatchObject({ words: 'Back, said by mila', at: `${at(12)}Z` });
    const lost = historyOf([loan], [said('WrittenOff', 12)]).now;
    expect(lost).toMatchObject({ words: 'Written off', settled: { became: 'WrittenOff' } });
    expect(historyOf([stock, loan], [said('Back', 12)]).now).toMatchObject({ words: 'In stock, locker 16' });
    // One that was taken out again since is with who took it.
    expect(historyOf([loan], [said('Back', 9)]).now).toMatchObject({ isWithPerson: true, userUid: 'anna' });
  });

  test('whose shipment was cancelled while it was inside is left there', () => {
    const left = shipment('left', { to: 'joost' }, [
      ['ReadyForPickup', 8],
      ['Cancelled', 9],
    ]);
    expect(historyOf([left]).now).toMatchObject({ words: 'Left in locker 15', since: `${at(9)}Z` });
    const emptied = { ...event, kind: 'Requested', occurredAt: at(10), operation: 'SetLockerEmptied' };
    const fetched = { ...left, events: [...(left.events ?? []), { ...emptied, outcome: 'Success' }] };
    expect(historyOf([fetched]).now).toMatchObject({ words: 'Fetched from locker 15', since: `${at(10)}Z` });
  });

  test('that the desk took out is not with a person', () => {
    const brought = shipment('intake', { to: 'desk' }, [
      ['ReadyForPickup', 8],
      ['Completed', 9],
    ]);
    const { now, holders, movements } = historyOf([brought], [], { deskUid: 'desk' });
    expect(now).toMatchObject({
      words: 'Brought back: the desk took it out of locker 15',
      isWithPerson: false,
      since: `${at(9)}Z`,
    });
    expect(holders).toEqual([]);
    expect(movements[0]).toMatchObject({ words: 'Taken out of locker 15', isTakenOut: true });
  });

  test('of a service that tells no events is known by the present state', () => {
    const silent = { ...loan, events: null };
    expect(historyOf([silent]).holders).toMatchObject([{ userUid: 'anna', from: `${at(11)}Z`, until: null }]);
  });
});

test('a case that has ended without its people having had the item came to nothing', () => {
  const row = (key: string, userUid: string | null, closed: number | null) =>
    ({
      key,
      about: { people: userUid === null ? [] : [{ userUid, name: null }], item: null, reference: null },
      startedAt: `${at(8)}Z`,
      closedAt: closed === null ? null : `${at(closed)}Z`,
      shipmentUids: [],
    }) as never;
  const holders = [{ userUid: 'anna', from: `${at(11)}Z` }];
  const rows = [
    row('anna', 'anna', 14),
    row('joost', 'joost', 9),
    row('stock', null, 9),
    row('open', 'mo', null),
  ];
  expect(cameToNothing(rows, holders, []).map(({ key }) => key)).toEqual(['joost']);
  const before = row('before', 'anna', 10);
  expect(cameToNothing([before], holders, [])).toHaveLength(1);
  const returned = { ...(before as object), shipmentUids: ['intake'] } as never;
  expect(cameToNothing([returned], [], [{ shipmentUid: 'intake', isTakenOut: true }])).toEqual([]);
});
