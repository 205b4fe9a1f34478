// The locker service, for the verbs that talk to it as well as to Temporal.

import { type Peer, peerSettings, readPeer } from '../../contract/wire/peer.ts';
import { lockerServiceOf, serviceSettings } from '../../processes/locker-service.ts';
import type { LockerApi } from '../../shared/locker-api/index.ts';
import { readSettings } from '../../shared/settings/values.ts';
import { wrongUse } from '../../shared/terminal/exit-codes.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';

/** For the help of such a verb. */
export const SERVICE_SETTINGS = `
The locker service is named by the worker's settings: ${serviceSettings.join(', ')}.
Without any of them it is the service of npm start on this machine, as the demo tenant.`;

export async function atLockerService<Outcome>(
  { variables }: Pick<Terminal, 'variables'>,
  use: (api: LockerApi) => Promise<Outcome>,
): Promise<Outcome> {
  await using api = lockerServiceOf(variables);
  return await use(api);
}

/** What the service can do and how it names its states. Throws CommandFailed (wrong use). */
export function peerIn({ variables }: Pick<Terminal, 'variables'>): Peer {
  try {
    return readPeer(readSettings('These settings are wrong', peerSettings, variables));
  } catch (error) {
    throw wrongUse(error instanceof Error ? error.message : String(error));
  }
}
