// The types of results: each flow has its own roles (the compiler checks this file).
import { expectTypeOf, test } from 'vitest';
import type { ResultOf } from '../../client/flow-contract.ts';
import type { LegResult } from '../../contract/flows/flow-result.ts';

test('a flow with one shipment has it in its result, and no other role', () => {
  expectTypeOf<ResultOf<'Issue'>['shipments']>().toEqualTypeOf<Readonly<Record<'issue', LegResult>>>();
  expectTypeOf<ResultOf<'Stock'>['shipments']>().not.toHaveProperty('issue');
  expectTypeOf<ResultOf<'Stock'>['shipments']['stock']['shipmentUid']>().toEqualTypeOf<string>();
});

test('a flow with several shipments has each of them unless its role is unknown', () => {
  type Shipments = ResultOf<'IssueAndSwapIntake'>['shipments'];
  expectTypeOf<keyof Shipments>().toEqualTypeOf<'issue' | 'intake'>();
  expectTypeOf<Shipments['intake']>().toEqualTypeOf<LegResult | undefined>();
});
