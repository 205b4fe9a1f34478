// What must hold of a chain after whatever call, in whatever order (assumptions: States), and of one call's changes.
// Each answers with what is wrong, in words; nothing is an empty list.

import { isDeepStrictEqual } from 'node:util';
import type { LockerEffect } from '../../../contract/machines/chain.ts';
import {
  type Chain,
  type ChainShipment,
  hasItemInside,
  holderOf,
  shipmentOf,
} from '../../../contract/machines/chain-shipments.ts';
import { isActive, isOneStep } from '../../../contract/machines/chart.ts';
import { type Expected, openShipments } from './chain-moves.ts';

type Check = [holds: boolean, otherwise: string];

function broken(checks: readonly Check[]): string[] {
  return checks.filter(([holds]) => !holds).map(([, otherwise]) => otherwise);
}

/** Of a chain as it stands. */
export function wrongInChain(chain: Chain): string[] {
  const open = openShipments(chain);
  const [first, ...pending] = open;
  const inside = open.filter(hasItemInside);
  return broken([
    [first?.stateCode !== 'Registered', 'the one that has the locker has not begun'],
    [pending.every(({ stateCode }) => stateCode === 'Registered'), 'a pending one has begun'],
    [
      pending.every(({ predecessor }, place) => predecessor?.shipmentUid === open[place]?.shipmentUid),
      'the open ones are not one line, each with at most one pending successor',
    ],
    [inside.length <= 1, 'the item is in two shipments'],
    [
      chain.every(
        ({ isItemLeft, stateCode }) => !isItemLeft || (stateCode === 'Cancelled' && open.length === 0),
      ),
      'an item is left behind, and its chain goes on',
    ],
    [open.slice(0, -1).every((each) => !each.keepBookedAfterPickUp), 'a kept-booked one has a successor'],
    [
      open.every(({ stateCode, toUserUid }) => stateCode !== 'WaitForReceiver' || toUserUid === null),
      'one with a receiver waits for one',
    ],
  ]);
}

const ENDING: readonly LockerEffect[] = ['Released', 'ToBeEmptied'];
/** Nothing releases the locker again: another chain may have it. */
const ENDED_BEFORE: readonly LockerEffect[] = ['Kept', 'Emptied'];

/** Of one call: what it says of itself agrees with what it did. */
export function wrongInAnswer(before: Chain, answer: Expected): string[] {
  if (!answer.applied) return [];
  const { changes, chain, locker } = answer.outcome;
  const places = changes.map(({ shipmentUid }) =>
    chain.findIndex((each) => each.shipmentUid === shipmentUid),
  );
  const stateIn = (where: Chain, uid: string) => where.find((each) => each.shipmentUid === uid)?.stateCode;
  const ended = before.filter(({ stateCode }) => !isActive(stateCode));
  const isAsBefore = (each: ChainShipment) =>
    isDeepStrictEqual(
      { ...each, isItemLeft: null },
      { ...shipmentOf(chain, each.shipmentUid), isItemLeft: null },
    );
  const left = (where: Chain) => where.filter(({ isItemLeft }) => isItemLeft);
  const effects = holderOf(before) || before.length === 0 ? ENDING : ENDED_BEFORE;
  const unsaid = chain.filter(
    ({ shipmentUid, stateCode }) =>
      stateIn(before, shipmentUid) !== stateCode && !changes.some((each) => each.shipmentUid === shipmentUid),
  );
  return broken([
    [
      places.every((place, index) => index === 0 || place > (places[index - 1] ?? -1)),
      'changes are not in chain order',
    ],
    [ended.every(isAsBefore), 'one that has ended has changed'],
    [unsaid.length === 0, 'a state changed and no change says so'],
    [(holderOf(chain) === undefined) === effects.includes(locker), `locker is ${locker}`],
    [
      (locker === 'ToBeEmptied') === left(chain).length > left(before).length &&
        (locker === 'Emptied') === left(chain).length < left(before).length,
      `locker is ${locker}, and ${left(chain).length} items are left where ${left(before).length} were`,
    ],
    ...changes.flatMap(({ shipmentUid, from, to, stateCodeChanged }): Check[] => [
      [(stateIn(before, shipmentUid) ?? null) === from, `${shipmentUid} was not ${from}`],
      [stateIn(chain, shipmentUid) === to, `${shipmentUid} is not ${to}`],
      [stateCodeChanged === (from !== null && from !== to), `${shipmentUid} counts its callback wrongly`],
      [
        from === null || from === to || isOneStep(from, to),
        `${shipmentUid} goes from ${from} to ${to} in one step`,
      ],
    ]),
  ]);
}
