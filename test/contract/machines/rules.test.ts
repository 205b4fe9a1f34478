// Every rule that refuses says so in words that name the shipment and what to do; misuse by a programmer is a TypeError.

import { describe, expect, it } from 'vitest';
import { applyToChain, type ChainEvent } from '../../../contract/machines/chain.ts';
import type { Chain, Link, NewShipment } from '../../../contract/machines/chain-shipments.ts';
import { explain } from '../../../contract/machines/refusal-rules.ts';
import type { Rule } from '../../../contract/machines/shipment.ts';

const issue: NewShipment = {
  shipmentUid: 'a',
  shipmentType: 'LocalPupShipment',
  predecessor: null,
  fromUserUid: 'dispatcher',
  toUserUid: 'anna',
  fromFollowsPredecessorReceiver: false,
  keepBookedAfterPickUp: false,
};
const stock = { ...issue, toUserUid: null };
const keptBooked: NewShipment = {
  ...issue,
  shipmentType: 'CollectOnlyShipment',
  keepBookedAfterPickUp: true,
};

const booked = (...shipments: NewShipment[]): ChainEvent => ({ type: 'Booked', shipments });
const follows = (shipmentUid: string, link: Link, predecessorUid = 'a'): NewShipment => ({
  ...stock,
  shipmentUid,
  predecessor: { shipmentUid: predecessorUid, link },
});

function chainOf(...events: ChainEvent[]): Chain {
  const outcome = applyToChain([], ...events);
  if (!outcome.applied) throw new Error(explain(outcome.refusal));
  return outcome.chain;
}

describe('the words of a refusal', () => {
  const refused: Record<Rule, [before: ChainEvent[], event: ChainEvent, words: string]> = {
    stateTakesEvent: [
      [booked(issue), { type: 'Cancelled', shipmentUid: 'a' }],
      booked(follows('b', 'swap')),
      'Shipment a is Cancelled; another shipment can follow it only in Registered, ReadyForDropoff, WaitForReceiver, ReadyForPickup.',
    ],
    hasReceiver: [
      [booked(stock)],
      { type: 'ReceiverRemoved', shipmentUid: 'a' },
      'Shipment a has no receiver, so there is none to remove.',
    ],
    hasNoReceiver: [
      [booked(stock), { type: 'ReceiverSet', shipmentUid: 'a', toUserUid: 'anna' }],
      { type: 'IssuedFromStock', shipmentUid: 'a', toUserUid: 'bram' },
      'Shipment a has a receiver already; remove that one first, or choose a shipment without one.',
    ],
    isNotKeptBooked: [
      [booked(keptBooked)],
      booked(follows('b', 'swap')),
      'Shipment a keeps its locker booked after the pick up, so no other shipment can follow it; cancel it and book anew.',
    ],
    hasNoPendingSuccessor: [
      [booked(issue, follows('b', 'swap'))],
      booked(follows('c', 'swap')),
      'Shipment a is followed by another shipment already, and only one can be pending; cancel that one first.',
    ],
    goesToDispatcher: [
      [booked(issue)],
      { type: 'Booked', shipments: [follows('b', 'swap')], predecessorGoesTo: 'dispatcher' },
      'Shipment a does not go to the dispatcher; only a shipment that the dispatcher collects can be followed by this one.',
    ],
    isStock: [
      [booked(issue), { type: 'ReceiverRemoved', shipmentUid: 'a' }],
      { type: 'IssuedFromStock', shipmentUid: 'a', toUserUid: 'bram' },
      'Shipment a is not stock; choose one that was booked as stock or with its receiver delayed, or set the receiver of this one with SetShipmentReceiver.',
    ],
    hasNoCircularStockPending: [
      [booked(stock, follows('b', 'circularStock'))],
      { type: 'IssuedFromStock', shipmentUid: 'a', toUserUid: 'bram' },
      'Shipment a becomes stock again as another shipment when its item is dropped off; issue that one, or cancel it first.',
    ],
    isItemLeft: [
      [booked(issue), { type: 'Cancelled', shipmentUid: 'a' }],
      { type: 'LeftItemPickedUp', shipmentUid: 'a' },
      'Shipment a has left no item in its locker, or somebody has taken it out already.',
    ],
  };

  it.each(Object.entries(refused))('by the rule %s', (rule, [before, event, words]) => {
    const outcome = applyToChain(chainOf(...before), event);
    if (outcome.applied) throw new Error('expected a refusal');
    expect(outcome.refusal).toMatchObject({ rule, shipmentUid: 'a' });
    expect(explain(outcome.refusal)).toBe(words);
  });
});

describe('several events at once', () => {
  it('are refused as a whole by the first rule that refuses', () => {
    const chain = chainOf(booked(stock, follows('b', 'swap')));
    const outcome = applyToChain(
      chain,
      { type: 'IssuedFromStock', shipmentUid: 'a', toUserUid: 'anna' },
      booked(follows('c', 'swap')),
    );
    expect(outcome).toEqual({
      applied: false,
      refusal: {
        shipmentUid: 'a',
        stateCode: 'ReadyForDropoff',
        event: 'Booked',
        rule: 'hasNoPendingSuccessor',
      },
    });
  });
});

describe('misuse', () => {
  it('throws a TypeError that says what was expected', () => {
    const chain = chainOf(booked(issue));
    const swapped = chainOf(booked(issue, follows('b', 'swap')));
    expect(() => applyToChain(chain, { type: 'Cancelled', shipmentUid: 'z' })).toThrow(/no shipment z/);
    expect(() => applyToChain(chain, booked(follows('a', 'swap')))).toThrow(/a is in the chain already/);
    expect(() => applyToChain(chain, booked({ ...issue, shipmentUid: 'b' }))).toThrow(/b has no predecessor/);
    expect(() => applyToChain(swapped, booked(follows('c', 'circularStock', 'b')))).toThrow(
      /nothing will be dropped off for b/,
    );
  });

  it('of a chain with a successor that has begun before its predecessor ended throws a TypeError', () => {
    const [first] = chainOf(booked(issue));
    if (!first) throw new Error('expected a chain');
    const chain: Chain = [
      { ...first, stateCode: 'ReadyForPickup' },
      { ...first, ...follows('b', 'swap') },
    ];
    expect(() => applyToChain(chain, { type: 'ItemPickedUp', shipmentUid: 'a' })).toThrow(
      /b after Completed is ReadyForDropoff, expected Registered/,
    );
  });
});
