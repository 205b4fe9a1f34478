// locker install, locker out-of-order, locker in-order, locker emptied, locker list; and locker hold, locker item-left, locker
// release: for a database that was restored to an earlier point (docs/operate.md, Backup and restore).
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { z } from 'zod';
import { uid } from '../../../contract/wire/fields.ts';
import { inPlainWords, wordsOf } from '../../../contract/wire/format-issue.ts';
import { wrongUse } from '../../../shared/terminal/exit-codes.ts';
import { table } from '../../../shared/terminal/terminal.ts';
import { setLockerEmptied, setLockerOutOfOrder } from '../../lockers/locker-changes.ts';
import { type Box, inWords } from '../../sides.ts';
import { holdLockers, installLockers, lockersOf, requireOwnLocker, setToBeEmptied } from '../lockers.ts';
import { tenantIdOf } from '../tenants.ts';
import { type Administer, auditCommand } from './administer.ts';
import { readBox, readLockerNames, readText, readUid } from './arguments.ts';

interface InstallOptions {
  readonly size: string;
  readonly inside: Box;
  readonly names: string[];
  readonly uidPrefix?: string;
}

const LOCKER = 'the locker: its uid, or its pick up point and name, like pup-central/7';

export function addLockerCommands(parent: Command, administer: Administer): void {
  const locker = parent.command('locker').description('lockers');
  addInstallation(locker, administer);
  addOrder(locker, administer, 'out-of-order', 'book a locker no more; a shipment that has it keeps it');
  addOrder(locker, administer, 'in-order', 'let a locker be booked again');

  locker
    .command('emptied')
    .description('say that an item that was left behind in a locker has been taken out')
    .argument('<tenantUid>', 'the tenant of the locker', readUid)
    .argument('<locker>', LOCKER, readUid)
    .action((tenantUid: string, named: string, _options, command: Command) =>
      administer(command, async (transaction) => {
        const tenantId = await tenantIdOf(transaction, tenantUid);
        const { lockerId, lockerUid } = await requireOwnLocker(transaction, tenantId, named);
        await setLockerEmptied(transaction, lockerId);
        await auditCommand(transaction, command, tenantId, [lockerUid]);
        return { words: `locker ${lockerUid} is empty`, data: { tenantUid, lockerUid, toBeEmptied: false } };
      }),
    );

  addHeldLockerCommands(locker, administer);

  locker
    .command('list')
    .description('the lockers of a pick up point and what is with each')
    .argument('<tenantUid>', 'the tenant of the pick up point', readUid)
    .argument('<pupUid>', 'the pick up point', readUid)
    .action((tenantUid: string, pupUid: string, _options, command: Command) =>
      administer(command, async (transaction) => {
        const lockers = await lockersOf(transaction, await tenantIdOf(transaction, tenantUid), pupUid);
        const rows = lockers.map((each) => [
          each.lockerUid,
          each.lockerName,
          each.size,
          inWords(each),
          stateOf(each),
        ]);
        const words = table(['locker', 'name', 'size', 'inside', 'state'], rows).join('\n');
        return {
          words: rows.length > 0 ? words : `pick up point ${pupUid} has no lockers`,
          data: { tenantUid, pupUid, lockers },
        };
      }),
    );
}

function addInstallation(locker: Command, administer: Administer): void {
  locker
    .command('install')
    .description('install lockers of one size at a pick up point; those that are there stay as they are')
    .argument('<tenantUid>', 'the tenant of the pick up point', readUid)
    .argument('<pupUid>', 'the pick up point', readUid)
    .requiredOption('--size <size>', 'what the size is called, like M', readText)
    .requiredOption('--inside <box>', 'the inside in centimeters, like 38x25x60', readBox)
    .requiredOption('--names <names>', 'the names on the doors, like 1-24 or A1,A2', readLockerNames)
    .option(
      '--uid-prefix <prefix>',
      'each uid is this and the name; else the pick up point and a hyphen',
      readText,
    )
    .action((tenantUid: string, pupUid: string, options: InstallOptions, command: Command) =>
      administer(command, async (transaction) => {
        const { size, inside, names, uidPrefix = `${pupUid}-` } = options;
        const tenantId = await tenantIdOf(transaction, tenantUid);
        const lockers = names.map((lockerName) => ({ lockerUid: `${uidPrefix}${lockerName}`, lockerName }));
        await installLockers(transaction, tenantId, pupUid, { size, ...inside, lockers });
        await auditCommand(transaction, command, tenantId, [pupUid]);
        const words = `${names.length} lockers of size ${size} are installed at ${pupUid}`;
        return { words, data: { tenantUid, pupUid, size, lockers } };
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
  locker
    .command(name)
    .description(description)
    .argument('<tenantUid>', 'the tenant of the locker', readUid)
    .argument('<locker>', LOCKER, readUid)
    .action((tenantUid: string, named: string, _options, command: Command) =>
      administer(command, async (transaction) => {
        const tenantId = await tenantIdOf(transaction, tenantUid);
        const { lockerId, lockerUid } = await requireOwnLocker(transaction, tenantId, named);
        await setLockerOutOfOrder(transaction, lockerId, outOfOrder);
        await auditCommand(transaction, command, tenantId, [lockerUid]);
        const words = `locker ${lockerUid} is ${outOfOrder ? 'out of order' : 'in order'}`;
        return { words, data: { tenantUid, lockerUid, outOfOrder } };
      }),
    );
}

interface LockerState {
  readonly booked: boolean;
  readonly outOfOrder: boolean;
  readonly toBeEmptied: boolean;
}

function stateOf({ booked, outOfOrder, toBeEmptied }: LockerState): string {
  const states = [booked && 'booked', outOfOrder && 'out of order', toBeEmptied && 'to be emptied'];
  return states.filter(Boolean).join(', ') || 'free';
}

const readUids = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  readUid(text),
];

function addHeldLockerCommands(locker: Command, administer: Administer): void {
  locker
    .command('hold')
    .description(
      'after the database was restored, before the service starts: no booking gets any locker of the tenant, for ' +
        'each may hold an item that the database does not know. With --json its answer is what `release` takes',
    )
    .argument('<tenantUid>', 'the tenant of the lockers', readUid)
    .action((tenantUid: string, _options, command: Command) =>
      administer(command, async (transaction) => {
        const tenantId = await tenantIdOf(transaction, tenantUid);
        const held = await holdLockers(transaction, tenantId);
        await auditCommand(transaction, command, tenantId);
        const words = `${held.length} lockers of ${tenantUid} are held: to be emptied`;
        return { words, data: { tenantUid, held } };
      }),
    );

  locker
    .command('item-left')
    .description('say that an item lies in a locker: no booking gets it before it was emptied')
    .argument('<tenantUid>', 'the tenant of the lockers', readUid)
    .argument('<lockerUid...>', 'the lockers', readUids)
    .action((tenantUid: string, lockerUids: readonly string[], _options, command: Command) =>
      administer(command, async (transaction) => {
        const tenantId = await tenantIdOf(transaction, tenantUid);
        await setToBeEmptied(transaction, tenantId, lockerUids, true);
        await auditCommand(transaction, command, tenantId, lockerUids);
        const words = `to be emptied: ${lockerUids.join(', ')}`;
        return { words, data: { tenantUid, lockerUids, toBeEmptied: true } };
      }),
    );

  locker
    .command('release')
    .description('let the lockers that were held be booked again')
    .argument('<tenantUid>', 'the tenant of the lockers', readUid)
    .requiredOption('--held <file>', 'what locker hold --json has written')
    .option('--except <lockerUid...>', 'an item lies in these: they stay to be emptied', readUids)
    .action((tenantUid: string, options: ReleaseOptions, command: Command) => {
      const { except = [] } = options;
      const held = heldIn(options.held, tenantUid);
      const strange = except.filter((each) => !held.includes(each));
      if (strange.length > 0)
        throw wrongUse(`--except: ${strange.join(', ')} was not held; expected lockers of ${options.held}`);
      return administer(command, async (transaction) => {
        const tenantId = await tenantIdOf(transaction, tenantUid);
        const released = held.filter((each) => !except.includes(each));
        await setToBeEmptied(transaction, tenantId, released, false);
        await auditCommand(transaction, command, tenantId);
        const words = `${released.length} lockers of ${tenantUid} can be booked again, ${except.length} stay to be emptied`;
        return { words, data: { tenantUid, released, toBeEmptied: except } };
      });
    });
}

interface ReleaseOptions {
  readonly held: string;
  readonly except?: readonly string[];
}

const heldFile = z.object({ tenantUid: z.string(), held: z.array(uid) });

function heldIn(path: string, tenantUid: string): readonly string[] {
  const { data, error } = heldFile.safeParse(jsonIn(path), inPlainWords);
  if (!data) throw wrongUse(`--held: ${path} is not what locker hold --json writes: ${wrongIn(error)}`);
  if (data.tenantUid !== tenantUid)
    throw wrongUse(`--held: ${path} has the lockers of ${data.tenantUid}; expected those of ${tenantUid}`);
  return data.held;
}

const wrongIn = ({ issues }: z.ZodError): string =>
  issues.map((issue) => `${issue.path.join('.') || 'it'} ${wordsOf(issue)}`).join('; ');

function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw wrongUse(
      `--held: ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
