// pick-up-point create, pick-up-point overflow; locker install, locker out-of-order, locker in-order, locker emptied, locker list;
// and locker hold, locker item-left: for a database that was restored to an earlier point (docs/operate.md, Backup and restore).
import type { Command } from 'commander';
import { setLockerEmptied, setLockerOutOfOrder } from '../../lockers/locker-changes.ts';
import { type Box, inWords } from '../../sides.ts';
import { holdLockers, installLockers, lockersOf, requireOwnLocker, setItemsLeft } from '../lockers.ts';
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
        const words = `pick up point ${pupUid} of ${tenant.tenantUid} is as given`;
        return { words, data: { pupUid }, changed: [pupUid] };
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
        const words = `overflow of ${pupUid} is ${overflowPupUids.join(', then ') || 'nothing'}`;
        return { words, data: { pupUid, overflowPupUids }, changed: [pupUid] };
      }),
    );
}

const OF_LOCKER = 'the tenant of the locker';
const OF_LOCKERS = 'the tenant of the lockers';
const OF_PICK_UP_POINT = 'the tenant of the pick up point';
const LOCKER = 'the locker: its uid, or its pick up point and name, like pup-central/7';

export function addLockerCommands(parent: Command, administer: Administer): void {
  const locker = parent.command('locker').description('lockers');
  addInstallation(locker, administer);
  addOrder(locker, administer, 'out-of-order', 'book a locker no more; a shipment that has it keeps it');
  addOrder(locker, administer, 'in-order', 'let a locker be booked again');

  const emptied = 'say that no item is left behind in these lockers any more: they can be booked again';
  tenantVerb(locker, 'emptied', emptied, OF_LOCKERS)
    .argument('<locker...>', LOCKER, readUids)
    .action(
      ofTenant(administer, async ({ transaction, tenantId }, named: readonly string[]) => {
        const lockerUids: string[] = [];
        for (const each of named) {
          const { lockerId, lockerUid } = await requireOwnLocker(transaction, tenantId, each);
          await setLockerEmptied(transaction, lockerId);
          lockerUids.push(lockerUid);
        }
        const words = `empty: ${lockerUids.join(', ')}`;
        return { words, data: { lockerUids, toBeEmptied: false }, changed: lockerUids };
      }),
    );

  addHeldLockerCommands(locker, administer);

  tenantVerb(locker, 'list', 'the lockers of a pick up point and what is with each', OF_PICK_UP_POINT)
    .argument('<pupUid>', 'the pick up point', readUid)
    .action(
      ofTenant(administer, async ({ transaction, tenantId }, pupUid: string) => {
        const lockers = await lockersOf(transaction, tenantId, pupUid);
        const rows = lockers.map((each) => [
          each.lockerUid,
          each.lockerName,
          each.size,
          inWords(each),
          stateOf(each),
        ]);
        const headings = ['locker', 'name', 'size', 'inside', 'state'];
        const words = rowsOr(`pick up point ${pupUid} has no lockers`, headings, rows);
        return { words, data: { pupUid, lockers } };
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
        const words = `${names.length} lockers of size ${size} are installed at ${pupUid}`;
        return { words, data: { pupUid, size, lockers }, changed: [pupUid] };
      }),
    );
}

function addOrder(
  locker: Command,
  administer: Administer,
  name: 'out-of-order' | 'in-order',
  description: string,
): void {
  const outOfOrder = name === 'out-of-order';
  tenantVerb(locker, name, description, OF_LOCKER)
    .argument('<locker>', LOCKER, readUid)
    .action(
      ofTenant(administer, async ({ transaction, tenantId }, named: string) => {
        const { lockerId, lockerUid } = await requireOwnLocker(transaction, tenantId, named);
        await setLockerOutOfOrder(transaction, lockerId, outOfOrder);
        const words = `locker ${lockerUid} is ${outOfOrder ? 'out of order' : 'in order'}`;
        return { words, data: { lockerUid, outOfOrder }, changed: [lockerUid] };
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

function addHeldLockerCommands(locker: Command, administer: Administer): void {
  tenantVerb(
    locker,
    'hold',
    'after the database was restored, before the service starts: no booking gets any locker of the tenant, for ' +
      'each may hold an item that the database does not know. It names them, one on a line, for `emptied`',
    OF_LOCKERS,
  ).action(
    ofTenant(administer, async ({ transaction, tenantId }) => {
      const held = await holdLockers(transaction, tenantId);
      return { words: held.join('\n'), data: { held }, changed: [] };
    }),
  );

  const itemLeft = 'say that an item lies in a locker: no booking gets it before it was emptied';
  tenantVerb(locker, 'item-left', itemLeft, OF_LOCKERS)
    .argument('<lockerUid...>', 'the lockers', readUids)
    .action(
      ofTenant(administer, async ({ transaction, tenantId }, lockerUids: readonly string[]) => {
        await setItemsLeft(transaction, tenantId, lockerUids);
        const words = `to be emptied: ${lockerUids.join(', ')}`;
        return { words, data: { lockerUids, toBeEmptied: true }, changed: lockerUids };
      }),
    );
}
