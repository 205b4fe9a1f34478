// pick-up-point create, pick-up-point overflow; locker install, locker out-of-order, locker in-order, locker emptied, locker list;
// and locker hold, locker item-left: for a database that was restored to an earlier point (docs/operate.md, Backup and restore).
import type { Command } from 'commander';
import { sql } from 'kysely';
import { emptied } from '../../lockers/locker-changes.ts';
import { type Box, formatSides } from '../../sides.ts';
import { changeLockers, holdLockers, installLockers, lockersOf } from '../lockers.ts';
import { ensurePickUpPoint, setOverflow } from '../pick-up-points.ts';
import { type Administer, ofTenant, rowsOr, tenantVerb } from './administer.ts';
import { readBox, readCountryCode, readLockerNames, readText, readTimeZone, readUid } from './arguments.ts';

interface CreateOptions {
  readonly name: string;
  readonly timeZone: string;
  readonly city?: string;
  readonly countryCode?: string;
}

export function addPickUpPointCommands(parent: Command, administer: Administer): void {
  const pickUpPoint = parent.command('pick-up-point').description('pick up points');

  tenantVerb(
    pickUpPoint,
    'create',
    'make a pick up point of a tenant, or give an existing one these details',
    'the tenant that it belongs to',
  )
    .argument('<pupUid>', 'the uid of the pick up point', readUid)
    .requiredOption('--name <name>', 'its name', readText)
    .requiredOption('--time-zone <zone>', 'where it stands, like Europe/Amsterdam', readTimeZone)
    .option('--city <city>', 'the city', readText)
    .option('--country-code <code>', 'the country, like NL', readCountryCode)
    .action(
      ofTenant(administer, async (tenant, pupUid: string, options: CreateOptions) => {
        const { name, timeZone, city = null, countryCode = null } = options;
        const details = { pupUid, name, timeZone, city, countryCode };
        await ensurePickUpPoint(tenant.transaction, tenant.tenantId, details);
        const text = `pick up point ${pupUid} of ${tenant.tenantUid} is as given`;
        return { text, data: { pupUid }, changed: [pupUid] };
      }),
    );

  tenantVerb(
    pickUpPoint,
    'overflow',
    'set the pick up points that take what has no locker free here, in order; none: no overflow',
    'the tenant of all of them',
  )
    .argument('<pupUid>', 'the pick up point that may be full', readUid)
    .argument('[overflowPupUids...]', 'where its bookings may go')
    .action(
      ofTenant(administer, async (tenant, pupUid: string, overflowPupUids: string[]) => {
        await setOverflow(tenant.transaction, tenant.tenantId, pupUid, overflowPupUids);
        const text = `overflow of ${pupUid} is ${overflowPupUids.join(', then ') || 'nothing'}`;
        return { text, data: { pupUid, overflowPupUids }, changed: [pupUid] };
      }),
    );
}

const OF_LOCKERS = 'the tenant of the lockers';
const OF_PICK_UP_POINT = 'the tenant of the pick up point';

/** What is said of lockers, and what the report says then. */
const changes = {
  'out-of-order': {
    description: 'book lockers no more; a shipment that has one keeps it',
    change: { out_of_order: true },
    text: 'out of order',
  },
  'in-order': {
    description: 'let lockers be booked again',
    change: { out_of_order: false },
    text: 'in order',
  },
  emptied: {
    description: 'say that no item is left behind in these lockers any more: they can be booked again',
    change: emptied,
    text: 'empty',
  },
  'item-left': {
    description: 'say that an item lies in each of these lockers: no booking gets it before it was emptied',
    // Whose item it is stays known where it was.
    change: {
      to_be_emptied: true,
      left_shipment_id: sql<null>`case when to_be_emptied then left_shipment_id end`,
    },
    text: 'to be emptied',
  },
};

export function addLockerCommands(parent: Command, administer: Administer): void {
  const locker = parent.command('locker').description('lockers');
  addInstallation(locker, administer);
  for (const [name, { description, change, text }] of Object.entries(changes))
    tenantVerb(locker, name, description, OF_LOCKERS)
      .argument('<lockerUid...>', 'the lockers', readUids)
      .action(
        ofTenant(administer, async ({ transaction, tenantId }, lockerUids: readonly string[]) => {
          await changeLockers(transaction, tenantId, lockerUids, change);
          return { text: `${text}: ${lockerUids.join(', ')}`, data: { lockerUids }, changed: lockerUids };
        }),
      );
  addHold(locker, administer);

  tenantVerb(locker, 'list', 'the lockers of a pick up point and what is with each', OF_PICK_UP_POINT)
    .argument('<pupUid>', 'the pick up point', readUid)
    .action(
      ofTenant(administer, async ({ transaction, tenantId }, pupUid: string) => {
        const lockers = await lockersOf(transaction, tenantId, pupUid);
        const rows = lockers.map((each) => [
          each.lockerUid,
          each.lockerName,
          each.size,
          formatSides(each),
          stateOf(each),
        ]);
        const headings = ['locker', 'name', 'size', 'inside', 'state'];
        const text = rowsOr(`pick up point ${pupUid} has no lockers`, headings, rows);
        return { text, data: { pupUid, lockers } };
      }),
    );
}

interface InstallOptions {
  readonly size: string;
  readonly inside: Box;
  readonly names: string[];
  readonly uidPrefix?: string;
}

function addInstallation(locker: Command, administer: Administer): void {
  const description = 'install lockers of one size at a pick up point; those that are there stay as they are';
  tenantVerb(locker, 'install', description, OF_PICK_UP_POINT)
    .argument('<pupUid>', 'the pick up point', readUid)
    .requiredOption('--size <size>', 'what the size is called, like M', readText)
    .requiredOption('--inside <box>', 'the inside in centimeters, like 38x25x60', readBox)
    .requiredOption('--names <names>', 'the names on the doors, like 1-24 or A1,A2', readLockerNames)
    .option(
      '--uid-prefix <prefix>',
      'each uid is this and the name; else the pick up point and a hyphen',
      readText,
    )
    .action(
      ofTenant(administer, async ({ transaction, tenantId }, pupUid: string, options: InstallOptions) => {
        const { size, inside, names, uidPrefix = `${pupUid}-` } = options;
        const lockers = names.map((lockerName) => ({ lockerUid: `${uidPrefix}${lockerName}`, lockerName }));
        await installLockers(transaction, tenantId, pupUid, { size, ...inside, lockers });
        const text = `${names.length} lockers of size ${size} are installed at ${pupUid}`;
        return { text, data: { pupUid, size, lockers }, changed: [pupUid] };
      }),
    );
}

type LockerState = Pick<
  Awaited<ReturnType<typeof lockersOf>>[number],
  'booked' | 'outOfOrder' | 'toBeEmptied'
>;

function stateOf({ booked, outOfOrder, toBeEmptied }: LockerState): string {
  const states = [booked && 'booked', outOfOrder && 'out of order', toBeEmptied && 'to be emptied'];
  return states.filter(Boolean).join(', ') || 'free';
}

const readUids = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  readUid(text),
];

function addHold(locker: Command, administer: Administer): void {
  tenantVerb(
    locker,
    'hold',
    'after the database was restored, before the service starts: no booking gets any locker of the tenant, for ' +
      'each may hold an item that the database does not know. It names them, one on a line, for `emptied`',
    OF_LOCKERS,
  ).action(
    ofTenant(administer, async ({ transaction, tenantId }) => {
      const held = await holdLockers(transaction, tenantId);
      return { text: held, data: { held }, changed: [] };
    }),
  );
}
