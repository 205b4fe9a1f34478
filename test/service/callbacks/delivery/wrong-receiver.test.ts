// A receiver that answers wrong in every way: the order within each shipment is kept, other shipments do not wait, and all
// callbacks arrive.
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { type Answer, startReceiver } from '../../../support/receiver.ts';
import { eachSampled } from '../../../support/suite.ts';
import { arrivals, ascending, eventIdOf, until, untilDelivered, useServiceWithSender } from '../support.ts';

/** Longer than a busy machine takes to answer: an answer in time is never one too late. */
const TIMEOUT_MS = 60_000;
const { service, receiver } = useServiceWithSender({ timeoutMs: TIMEOUT_MS });

const wrongWays: Readonly<Record<string, Answer>> = {
  'an internal error': () => 500,
  'not found': () => 404,
  overload: () => 503,
  'a redirect': (_, response) => {
    response.writeHead(307, { location: '/callbacks/elsewhere' }).end();
    return undefined;
  },
  'a reset instead of an answer': (_, response) => {
    response.socket?.resetAndDestroy();
    return undefined;
  },
  'half an answer': (_, response) => {
    response.socket?.end('HTTP/1.1 200 OK\r\ncontent-le');
    return undefined;
  },
  'no HTTP': (_, response) => {
    response.socket?.end('what?\r\n\r\n');
    return undefined;
  },
};

eachSampled(
  test,
  Object.entries(wrongWays),
  3,
  1,
)('after %s a callback is repeated, and then the next one comes', async (_, wrong) => {
  receiver.answer = (callback, response, request) =>
    receiver.received.length <= 2 ? wrong(callback, response, request) : 204;
  await expectRepeatedInOrder(service, receiver);
});

describe('with a time-out of 5 s', { tags: 'long' }, () => {
  const { service, receiver } = useServiceWithSender({ timeoutMs: 5_000 });

  test('after a 200 that comes too late a callback is repeated, and then the next one comes', async () => {
    receiver.answer = async (_, response) => {
      if (receiver.received.length > 2) return 204;
      await once(response, 'close');
      return 200;
    };
    await expectRepeatedInOrder(service, receiver);
  });
});

type Used = ReturnType<typeof useServiceWithSender>;
async function expectRepeatedInOrder(service: Used['service'], receiver: Used['receiver']): Promise<void> {
  const shipmentUid = await service.shipment();
  await service.unlock(shipmentUid, 'PickUp');
  await untilDelivered(service);
  const states = receiver.received.map(({ stateCode }) => stateCode);
  expect(states).toEqual(['ReadyForPickup', 'ReadyForPickup', 'ReadyForPickup', 'Completed']);
}

test('a receiver that sends answers of 1xx without end is let go of', async () => {
  receiver.answer = (_, response) => {
    if (receiver.received.length > 1) return 204;
    response.socket?.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100));
    return undefined;
  };
  await service.shipment();
  await vi.waitUntil(() => receiver.received.length === 2, { timeout: TIMEOUT_MS / 2 });
  await untilDelivered(service);
});

// assumptions: Callbacks, Acceptance
test('a redirect is not followed', async () => {
  await using elsewhere = await startReceiver();
  receiver.answer = (_, response) => {
    if (receiver.received.length > 3) return 204;
    const status = [301, 302, 307][receiver.received.length - 1] ?? 308;
    response.writeHead(status, { location: elsewhere.url }).end();
    return undefined;
  };
  await service.shipment();
  await untilDelivered(service);
  expect([receiver.received.length, elsewhere.received]).toEqual([4, []]);
});

test('while everything goes wrong in turn and the port closes, each shipment keeps its order and all arrive', {
  tags: 'long',
}, async () => {
  const ways = Object.values(wrongWays);
  let calls = 0;
  receiver.answer = (callback, response, request) => {
    calls += 1;
    // Every second call succeeds.
    const wrong = ways[(calls * 7) % (ways.length * 2)];
    return wrong ? wrong(callback, response, request) : 200;
  };
  const uids = await Promise.all(Array.from({ length: 8 }, () => service.shipment()));
  for (let round = 0; round < 3; round++) {
    await Promise.all(uids.map((shipmentUid) => service.events(shipmentUid, 1)));
    await receiver.down();
    await delay(30);
    await receiver.up();
  }
  await untilDelivered(service);
  const order = arrivals(receiver.received);
  expect([...order.keys()].sort()).toEqual([...uids].sort());
  for (const events of order.values()) {
    expect(events).toHaveLength(4);
    expect(events).toEqual(ascending(events));
  }
});

// assumptions: Chains, The order of events
test('no callback is begun before the one before it was accepted', async () => {
  let calls = 0;
  receiver.answer = async () => {
    calls += 1;
    await delay(5);
    return calls % 3 === 0 ? 200 : 500;
  };
  const shipmentUid = await service.shipment();
  await service.events(shipmentUid, 5);
  await untilDelivered(service);
  expect(ascending(receiver.received.map(eventIdOf))).toEqual(receiver.received.map(eventIdOf));
  expect(receiver.received.filter(({ status }) => status === 200)).toHaveLength(6);
});

// assumptions: Callbacks, Order
test('a stuck shipment does not delay other shipments', async () => {
  const stuck = await service.shipment();
  await untilDelivered(service);
  receiver.answer = ({ shipmentUid }) => (shipmentUid === stuck ? 500 : 200);
  await service.events(stuck, 3);
  await until(() => receiver.received.filter(({ shipmentUid }) => shipmentUid === stuck).length > 3);
  const others = await Promise.all(Array.from({ length: 5 }, () => service.shipment()));
  for (const shipmentUid of others) await untilDelivered(service, shipmentUid);
  receiver.answer = () => 200;
  await untilDelivered(service);
  const events = arrivals(receiver.accepted).get(stuck) ?? [];
  expect(events).toHaveLength(4);
  expect(events).toEqual(ascending(events));
});

// assumptions: Callbacks, The rest of an answer
test('an answer is accepted by its status, however endless or large the rest of it is', {
  tags: 'long',
}, async () => {
  receiver.answer = (_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'.repeat(100_000)), 5);
    response.on('close', () => clearInterval(timer));
    return undefined;
  };
  const shipmentUid = await service.shipment();
  await service.events(shipmentUid, 1);
  await untilDelivered(service);
  expect(receiver.received).toHaveLength(2);
});
