// The locker service, for the verbs that talk to it as well as to Temporal.
import type { LockerApi } from '../../activities/api/index.ts';
import { lockerServiceOf, serviceSettings } from '../../processes/locker-service.ts';
import type { Terminal } from '../../runtime/terminal/terminal.ts';

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
