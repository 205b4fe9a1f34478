// The demo data of a staging service: two tenants, their pick up points and users. Seeding twice changes nothing.
import type { Kysely, Transaction } from 'kysely';
import { everyFlowScope } from '../contract/wire/token.ts';
import { ensureApiClient } from './administration/api-clients.ts';
import { ensureLockers, type NewLockerSize } from './administration/lockers.ts';
import { ensurePickUpPoint, ownPickUpPointId, setOverflow } from './administration/pick-up-points.ts';
import { ensureTenant } from './administration/tenants.ts';
import type { Database } from './storage/database.ts';
import { inTransaction } from './storage/transaction.ts';

interface DemoPickUpPoint {
  readonly pupUid: string;
  readonly name: string;
  readonly city: string;
  readonly countryCode: string;
  /** How many lockers of each size; their names count on from 1. */
  readonly lockers: Readonly<Record<DemoSize, number>>;
}

/** The insides in centimeters. */
const demoSizes = {
  S: { width: 38, height: 12, length: 60 },
  M: { width: 38, height: 25, length: 60 },
  L: { width: 38, height: 50, length: 60 },
};
type DemoSize = keyof typeof demoSizes;

interface DemoUser {
  readonly userUid: string;
  readonly firstName: string;
  readonly lastName: string;
}

interface DemoTenant {
  readonly tenantUid: string;
  readonly name: string;
  readonly clientSecret: string;
  /** The secret of its client for the HTTP API of processes, where it has one: `<tenantUid>-flows`. */
  readonly flowsClientSecret?: string;
  /** The first one is where the users belong. */
  readonly pickUpPoints: readonly [DemoPickUpPoint, ...DemoPickUpPoint[]];
  readonly overflow: readonly (readonly [from: string, to: string])[];
  readonly users: readonly DemoUser[];
}

/** Each tenant's API client is named like the tenant. */
export const demoTenants: readonly DemoTenant[] = [
  {
    tenantUid: 'demo',
    name: 'Demo',
    clientSecret: 'demo-secret',
    flowsClientSecret: 'demo-flows-secret',
    pickUpPoints: [
      {
        pupUid: 'pup-central',
        name: 'Central',
        city: 'Utrecht',
        countryCode: 'NL',
        lockers: { S: 8, M: 10, L: 6 },
      },
      {
        pupUid: 'pup-station',
        name: 'Station',
        city: 'Utrecht',
        countryCode: 'NL',
        lockers: { S: 4, M: 5, L: 3 },
      },
    ],
    overflow: [['pup-central', 'pup-station']],
    users: [
      { userUid: 'user-anna', firstName: 'Anna', lastName: 'Jansen' },
      { userUid: 'user-bram', firstName: 'Bram', lastName: 'Visser' },
    ],
  },
  {
    tenantUid: 'other',
    name: 'Other',
    clientSecret: 'other-secret',
    pickUpPoints: [
      {
        pupUid: 'pup-other',
        name: 'Other',
        city: 'Gent',
        countryCode: 'BE',
        lockers: { S: 2, M: 2, L: 2 },
      },
    ],
    overflow: [],
    users: [{ userUid: 'user-olga', firstName: 'Olga', lastName: 'Peeters' }],
  },
];

export async function seedDemoData(database: Kysely<Database>): Promise<void> {
  await inTransaction(database, async (transaction) => {
    for (const tenant of demoTenants) await seedTenant(transaction, tenant);
  });
}

export const demoUserUids = (tenantUid: string): string[] =>
  demoTenants
    .filter((tenant) => tenant.tenantUid === tenantUid)
    .flatMap(({ users }) => users.map(({ userUid }) => userUid));

/** One tenant's part of the demo data; other tenants have none. */
export async function seedDemoTenant(transaction: Transaction<Database>, tenantUid: string): Promise<void> {
  const tenant = demoTenants.find((each) => each.tenantUid === tenantUid);
  if (tenant) await seedTenant(transaction, tenant);
}

async function seedTenant(transaction: Transaction<Database>, tenant: DemoTenant): Promise<void> {
  const { tenantUid, name } = tenant;
  const mainAccount = { userUid: `main-${tenantUid}`, emailAddress: `${tenantUid}@example.com` };
  const { tenantId } = await ensureTenant(transaction, { tenantUid, name, mainAccount });
  await ensureApiClient(transaction, tenantId, tenantUid, tenant.clientSecret);
  if (tenant.flowsClientSecret !== undefined)
    await ensureApiClient(transaction, tenantId, `${tenantUid}-flows`, tenant.flowsClientSecret, {
      flowScopes: [...everyFlowScope],
    });
  for (const pickUpPoint of tenant.pickUpPoints) {
    await ensurePickUpPoint(transaction, tenantId, { ...pickUpPoint, timeZone: 'Europe/Amsterdam' });
    await ensureLockers(transaction, tenantId, pickUpPoint.pupUid, demoLockers(pickUpPoint));
  }
  for (const [from, to] of tenant.overflow) await setOverflow(transaction, tenantId, from, [to]);
  const [{ pupUid }] = tenant.pickUpPoints;
  await seedUsers(transaction, tenant.users, await ownPickUpPointId(transaction, tenantId, pupUid));
}

/** Like pup-central-7 for locker 7 of pup-central. */
function demoLockers({ pupUid, lockers }: DemoPickUpPoint): NewLockerSize[] {
  let last = 0;
  return (Object.keys(demoSizes) as DemoSize[]).map((size) => ({
    size,
    ...demoSizes[size],
    lockers: Array.from({ length: lockers[size] }, () => {
      last += 1;
      return { lockerUid: `${pupUid}-${last}`, lockerName: String(last) };
    }),
  }));
}

async function seedUsers(
  transaction: Transaction<Database>,
  users: readonly DemoUser[],
  mainPickUpPointId: number,
): Promise<void> {
  const rows = users.map(({ userUid, firstName, lastName }, index) => ({
    user_uid: userUid,
    user_name: `${firstName.toLowerCase()}@example.com`,
    email_address: `${firstName.toLowerCase()}@example.com`,
    first_name: firstName,
    last_name: lastName,
    phone_number: `+3161234567${index}`,
    language_code: 'nl',
    main_pick_up_point_id: mainPickUpPointId,
    mail_code: `${firstName.toUpperCase()}1`,
  }));
  await transaction
    .insertInto('accounts')
    .values(rows)
    // Also if another account has the e-mail address or the user name by now.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
