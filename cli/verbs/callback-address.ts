// `callback-address`: tells the locker service where its callbacks go and how it signs them (ConfigureCallback).
import type { Command } from 'commander';
import type { LockerApi } from '../../shared/locker-api/index.ts';
import { keyFingerprint } from '../../shared/settings/key-fingerprint.ts';
import { CommandFailed } from '../../shared/terminal/exit-codes.ts';
import { report } from '../../shared/terminal/report.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';
import { atLockerService, SERVICE_SETTINGS } from '../temporal.ts';

export function addCallbackAddress(program: Command, terminal: Terminal): void {
  program
    .command('callback-address')
    .description('tell the locker service where its callbacks go, and the key that signs them')
    .argument('[url]', 'of the receiver, like https://receiver.example/callbacks; CALLBACK_URL if not given')
    .option('--none', 'send no callbacks: those that are pending wait until there is an address again')
    .option('--no-extra-fields', 'callbacks have the fields of the published interface alone')
    .addHelpText('after', MORE)
    .action(async (argument: string | undefined, options: Options, command: Command) => {
      const { url, key } = options.none ? nothingGiven(argument) : addressIn(argument, terminal.variables);
      const { extraFields } = options;
      const changed = await atLockerService(terminal, (api) =>
        configureCallbackAddress(api, url, key, { extraFields }),
      );
      const fingerprint = key === undefined ? null : keyFingerprint(key);
      report(terminal, command, {
        text: formatResult(url, fingerprint, changed),
        data: { url, key: fingerprint, changed },
      });
    });
}

interface Options {
  readonly none?: boolean;
  readonly extraFields: boolean;
}

interface Address {
  readonly url: string | null;
  readonly key: string | undefined;
}

function nothingGiven(url: string | undefined): Address {
  if (url !== undefined) throw wrong('--none and a url are both given; give one of them');
  return { url: null, key: undefined };
}

function addressIn(argument: string | undefined, variables: Terminal['variables']): Address {
  const url = argument ?? variables.CALLBACK_URL;
  if (!url) throw wrong('the url is missing; expected it as an argument or in CALLBACK_URL');
  const key = firstKey(variables.LOCKER_CALLBACK_KEY);
  if (key === '') throw wrong('LOCKER_CALLBACK_KEY is not set; expected the key of the receiver');
  return { url, key };
}

/** During a change of key the receiver has several, separated by blanks: the first one signs. */
const firstKey = (keys = ''): string => keys.trim().split(/\s+/)[0] ?? '';

/**
 * Gives whether the service did otherwise before. Our receiver works without the extra fields. With them, a flow learns
 * where a shipment is from its callbacks too.
 */
export async function configureCallbackAddress(
  api: LockerApi,
  url: string | null,
  keys: string | undefined,
  { extraFields = true } = {},
): Promise<boolean> {
  const authKey = keys === undefined ? {} : { authKey: firstKey(keys) };
  // Our receiver takes both. A service that does not know a field ignores it.
  const extras = url === null ? {} : { extraFields, accessMessages: true };
  const { changed } = await api.call('ConfigureCallback', { url, authType: 'HMAC', ...authKey, ...extras });
  return changed === true;
}

const MORE = `
LOCKER_CALLBACK_KEY, or the file that LOCKER_CALLBACK_KEY_FILE names, has the key: the same as for the receiver. If it has
several keys, separated by blanks, the first one signs. To change the key without losing a callback: give the receiver both,
the new one first; run this command; a day later take the former one from the receiver.
${SERVICE_SETTINGS}

Examples:
  LOCKER_CALLBACK_KEY_FILE=callback-key lockerflow callback-address https://receiver.example/callbacks
  lockerflow callback-address --none`;

const wrong = (message: string) => new CommandFailed('wrongUse', message);

function formatResult(url: string | null, fingerprint: string | null, changed: boolean): string {
  const was = changed ? '' : ' (no change)';
  if (url === null) return `the service sends no callbacks${was}`;
  return `callbacks go to ${url}, signed with the key ${fingerprint}${was}`;
}
