// Random commands on accounts, as fast-check draws them: of few names, so that they often meet.

import fc from 'fast-check';
import type { MutationFlagName } from '../../contract/wire/fields.ts';

export interface Registration {
  readonly emailAddress: string;
  readonly userName: string | null;
  readonly lastName: string;
  readonly pickUpPoint: number;
  readonly mutationConfig: Flags | null;
}

export type Flags = Readonly<Partial<Record<MutationFlagName, boolean | null>>>;

/** Of an account picked among all that there ever were, removed ones included. */
export type AccountChange =
  | {
      readonly type: 'setDetails';
      readonly account: number;
      readonly emailAddress: string | null;
      readonly lastName: string | null;
    }
  | { readonly type: 'setPickUpPoint'; readonly account: number; readonly pickUpPoint: number }
  | {
      readonly type: 'setMutationConfig';
      readonly account: number;
      readonly flags: Flags;
    }
  | { readonly type: 'remove'; readonly account: number };

export type AccountCommand = { readonly tenant: number } & (
  | ({ readonly type: 'create' } & Registration)
  | ({ readonly type: 'createOrGet' } & Registration)
  | AccountChange
  | { readonly type: 'book'; readonly from: number; readonly to: number }
  | { readonly type: 'cancel'; readonly shipment: number }
);

const number = fc.nat();
const tenant = number;
const account = number;
const pickUpPoint = number;
const lastName = fc.constantFrom('Jansen', 'de Vries', "O'Neill", 'Müller 👩‍🚀');
/** The case of an e-mail address and of a user name is kept, and counts for nothing. */
const cased = (text: fc.Arbitrary<string>) =>
  fc.tuple(text, fc.boolean()).map(([given, isUpper]) => (isUpper ? given.toUpperCase() : given));
const commandsOf = (world: string): fc.Arbitrary<AccountCommand> => {
  const emailAddress = cased(fc.nat({ max: 7 }).map((n) => `${world}-${n < 3 ? 'é' : ''}${n}@example.com`));
  const userName = fc.option(
    cased(
      fc.oneof(
        emailAddress,
        fc.nat({ max: 4 }).map((n) => `${world}-name-${n}`),
      ),
    ),
  );
  const flag = fc.constantFrom(true, false, null);
  const flags = fc.record(
    { canChangeFirstName: flag, canChangeEmailAddress: flag, canRemoveManually: flag },
    { requiredKeys: [] },
  );
  const mutationConfig = fc.option(flags, { freq: 1 });
  const registration = { tenant, emailAddress, userName, lastName, pickUpPoint, mutationConfig };
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ type: fc.constant('create'), ...registration }) },
    { weight: 3, arbitrary: fc.record({ type: fc.constant('createOrGet'), ...registration }) },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant('setDetails'),
        tenant,
        account,
        emailAddress: fc.option(emailAddress),
        lastName: fc.option(lastName),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ type: fc.constant('setPickUpPoint'), tenant, account, pickUpPoint }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ type: fc.constant('setMutationConfig'), tenant, account, flags }),
    },
    { weight: 3, arbitrary: fc.record({ type: fc.constant('remove'), tenant, account }) },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('book'), tenant, from: account, to: account }) },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('cancel'), tenant, shipment: number }) },
  );
};

/** The same commands for the same seed. */
export function randomAccountCommands(world: string, seed: number, count: number): AccountCommand[] {
  return fc.sample(commandsOf(world), { seed, numRuns: count });
}
