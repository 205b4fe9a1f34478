// Roles told by evidence: whatever part of the truth is seen, in whatever order the uids come, no role is ever wrong;
// and each kind of evidence tells by itself what it should.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CodeEvidence,
  type RoleEvidence,
  rolesByEvidence,
} from '../../../activities/booking/role-evidence.ts';
import type { BookedLeg } from '../../../contract/flows/flow-input.ts';
import type { Role } from '../../../contract/index.ts';
import { shipmentRecord } from '../../../contract/operations/shipment-reading.ts';
import type { LegReferences } from '../../../flows/booking/activities.ts';
import type { ListedShipment } from '../../../shared/locker-api/list-shipments.ts';
import { atSizes } from '../../support/suite.ts';

type Link = NonNullable<BookedLeg['follows']>['link'];
const leg = (role: Role, follows?: [Role, Link], references: BookedLeg['references'] = null): BookedLeg => ({
  role,
  isPrior: false,
  references,
  follows: follows ? { role: follows[0], link: follows[1] } : null,
});
const prior = (role: Role): BookedLeg => ({ ...leg(role), isPrior: true });

const flows = {
  Issue: [leg('issue')],
  IssueAndSwapIntake: [leg('issue', undefined, 'details'), leg('intake', ['issue', 'swap'], 'return')],
  StockAfterSwapIntake: [prior('intake'), leg('stock', ['intake', 'swap'], 'details')],
  IssueFromStock: [prior('issue')],
  IssueFromStockAndSwapIntake: [prior('issue'), leg('intake', ['issue', 'swap'], 'return')],
  IntakeAndCircularStock: [leg('intake'), leg('circularStock', ['intake', 'circularStock'])],
  threeShipments: [
    prior('issue'),
    leg('intake', ['issue', 'subsequentIntake'], 'return'),
    leg('circularStock', ['intake', 'circularStock']),
  ],
} satisfies Record<string, BookedLeg[]>;

const uidOf = (role: Role) => `uid-${role}`;
const roleOf = (uid: string) => uid.slice('uid-'.length);
const linkField = {
  swap: 'swapsShipmentUid',
  subsequentIntake: 'priorShipmentUid',
  circularStock: 'circularPriorShipmentUid',
} as const;

const bare = shipmentRecord.parse({});
const none: RoleEvidence = { priorShipmentUid: null, records: [], codes: [], references: [] };

/** All that could be seen of a flow that was just booked. The prior has a past of its own. */
function truth(legs: readonly BookedLeg[]): RoleEvidence {
  const references: LegReferences[] = legs
    .filter((each) => each.references !== null)
    .map(({ role }) => ({
      role,
      referenceNo: `number of ${role}`,
      referenceCaseNo: 'case',
      description: null,
    }));
  return {
    priorShipmentUid: legs.filter(({ isPrior }) => isPrior).map(({ role }) => uidOf(role))[0] ?? null,
    references,
    records: legs.map(({ role, follows, isPrior }) => ({
      ...bare,
      shipmentUid: uidOf(role),
      stateCode: follows ? 'Registered' : 'ReadyForDropoff',
      referenceNo: references.find((each) => each.role === role)?.referenceNo ?? null,
      referenceCaseNo: 'case',
      ...(follows && { [linkField[follows.link]]: uidOf(follows.role) }),
      ...(isPrior && { circularPriorShipmentUid: 'of another flow', swapsShipmentUid: 'of another flow' }),
    })),
    codes: legs.map(({ role, follows, isPrior }) => ({
      shipmentUid: uidOf(role),
      hasDeliveryCode: !isPrior && follows?.link !== 'circularStock',
      sharesCodeOf: follows?.link === 'swap' ? [uidOf(follows.role)] : [],
    })),
  };
}

const told = (legs: readonly BookedLeg[], uids: readonly string[], evidence: RoleEvidence) =>
  Object.fromEntries(rolesByEvidence(legs, uids, evidence));
const uidsOf = (legs: readonly BookedLeg[]) => legs.map(({ role }) => uidOf(role));
const allOf = (legs: readonly BookedLeg[]) => Object.fromEntries(legs.map(({ role }) => [uidOf(role), role]));

describe.each(Object.entries(flows))('the roles of %s', (_, legs) => {
  const whole = truth(legs);

  atSizes({ short: 100, long: 1_000 }, (numRuns, seed) =>
    it('are all known from all evidence, in every order of the uids', () => {
      fc.assert(
        fc.property(fc.shuffledSubarray(uidsOf(legs), { minLength: legs.length }), (uids) => {
          expect(told(legs, uids, whole)).toEqual(allOf(legs));
        }),
        { seed, numRuns },
      );
    }),
  );

  atSizes({ short: 500, long: 2500 }, (numRuns, seed) =>
    it('are never wrong, for any part of the evidence', () => {
      const records = fc.subarray([...whole.records]).chain((seen) =>
        fc.tuple(
          ...seen.map((record) =>
            fc.subarray(Object.keys(bare)).map((hidden) => ({
              ...record,
              ...Object.fromEntries(hidden.map((field) => [field, null])),
            })),
          ),
        ),
      );
      const codes = fc
        .subarray([...whole.codes])
        .chain((seen) =>
          fc.tuple(
            ...seen.map(
              (evidence): fc.Arbitrary<CodeEvidence> =>
                fc
                  .subarray([...evidence.sharesCodeOf])
                  .map((sharesCodeOf) => ({ ...evidence, sharesCodeOf })),
            ),
          ),
        );
      const evidence = fc.record({
        records,
        codes,
        references: fc.subarray([...whole.references]),
        priorShipmentUid: fc.constant(whole.priorShipmentUid),
      });
      fc.assert(
        fc.property(fc.shuffledSubarray(uidsOf(legs), { minLength: legs.length }), evidence, (uids, seen) => {
          for (const [uid, role] of rolesByEvidence(legs, uids, seen))
            if (role !== null) expect(role).toBe(roleOf(uid));
        }),
        { seed, numRuns },
      );
    }),
  );

  it.each(['records', 'codes'] as const)('are known from %s alone, if these are enough', (kind) => {
    // A subsequent intake shares no code, and of the prior the codes tell nothing: elimination does.
    expect(
      told(legs, uidsOf(legs), { ...none, priorShipmentUid: whole.priorShipmentUid, [kind]: whole[kind] }),
    ).toEqual(allOf(legs));
  });
});

describe('without evidence', () => {
  // assumptions: Chains, The order of shipmentUids
  it('two shipments of different roles stay unknown, in any order', () => {
    const uids = uidsOf(flows.IssueAndSwapIntake);
    expect(told(flows.IssueAndSwapIntake, uids, none)).toEqual({ 'uid-issue': null, 'uid-intake': null });
  });

  it('the prior is known by its uid, and with it the one that is left', () => {
    const evidence = { ...none, priorShipmentUid: 'uid-issue' };
    expect(told(flows.IssueFromStockAndSwapIntake, ['uid-intake', 'uid-issue'], evidence)).toEqual(
      allOf(flows.IssueFromStockAndSwapIntake),
    );
    expect(told(flows.threeShipments, uidsOf(flows.threeShipments), evidence)).toEqual({
      'uid-issue': 'issue',
      'uid-intake': null,
      'uid-circularStock': null,
    });
  });
});

describe('one piece of evidence', () => {
  const two = flows.IssueAndSwapIntake;
  const uids = uidsOf(two);
  const record = (role: Role, fields: Partial<ListedShipment>) => ({
    ...bare,
    shipmentUid: uidOf(role),
    ...fields,
  });

  it.each<[string, BookedLeg[], Partial<RoleEvidence>]>([
    ['a link', two, { records: [record('intake', { swapsShipmentUid: 'uid-issue' })] }],
    ['a state that only a follower has', two, { records: [record('intake', { stateCode: 'Registered' })] }],
    [
      'a code that both have',
      two,
      { codes: [{ shipmentUid: 'uid-intake', hasDeliveryCode: true, sharesCodeOf: ['uid-issue'] }] },
    ],
    [
      'a reference of its own',
      two,
      {
        records: [record('issue', { referenceNo: 'A' })],
        references: [{ role: 'intake', referenceNo: 'B', referenceCaseNo: null, description: null }],
      },
    ],
    [
      'a missing DeliveryCode',
      flows.IntakeAndCircularStock,
      { codes: [{ shipmentUid: 'uid-circularStock', hasDeliveryCode: false, sharesCodeOf: [] }] },
    ],
    [
      'a DeliveryCode',
      flows.IntakeAndCircularStock,
      { codes: [{ shipmentUid: 'uid-intake', hasDeliveryCode: true, sharesCodeOf: [] }] },
    ],
  ])('%s tells both roles', (_, legs, evidence) => {
    expect(told(legs, [...uidsOf(legs)].reverse(), { ...none, ...evidence })).toEqual(allOf(legs));
  });

  it('that contradicts another counts as none, and the prior shipment stays known', () => {
    const records = [
      record('intake', { priorShipmentUid: 'uid-circularStock' }),
      record('circularStock', { circularPriorShipmentUid: 'uid-issue', priorShipmentUid: 'uid-intake' }),
    ];
    expect(
      told(flows.threeShipments, uidsOf(flows.threeShipments), {
        ...none,
        priorShipmentUid: 'uid-issue',
        records,
      }),
    ).toEqual({
      'uid-issue': 'issue',
      'uid-intake': null,
      'uid-circularStock': null,
    });
  });

  it('more or fewer shipments than were asked for leave the doubtful ones unknown', () => {
    expect(told(two, [...uids, 'uid-more'], none)).toEqual({
      'uid-issue': null,
      'uid-intake': null,
      'uid-more': null,
    });
    expect(told(two, ['uid-issue'], none)).toEqual({ 'uid-issue': null });
    expect(told(flows.Issue, ['a', 'b'], none)).toEqual({ a: null, b: null });
  });
});
