// How the commands reach Temporal and the locker service, and in whose name they act.

import { type Command, Option } from 'commander';
import { connectTemporal, TemporalUnreachable } from '../client/connect.ts';
import { LockerFlows } from '../client/locker-flows.ts';
import { consoleLink } from '../client/sign-in-links.ts';
import { TASK_QUEUE } from '../contract/flows/flow-types.ts';
import {
  readServiceProfile,
  type ServiceProfile,
  serviceProfileSettings,
} from '../contract/wire/service-profile.ts';
import { lockerServiceOf, serviceSettings } from '../processes/locker-service.ts';
import { type CommandContext, capabilitiesIn, type TemporalContext } from '../processes/temporal-context.ts';
import type { LockerApi } from '../shared/locker-api/index.ts';
import { readSettings } from '../shared/settings/read-settings.ts';
import { CommandFailed, wrongUse } from '../shared/terminal/exit-codes.ts';
import type { Terminal } from '../shared/terminal/terminal.ts';

// Enough for a distant server; a person who waits longer thinks that the command hangs.
const CONNECT_WITHIN_MS = 5_000;

/**
 * On Ctrl-C the work is abandoned; a command that `finishes` checks for the interruption itself. One that goes on `lazily` may
 * need no Temporal.
 */
export async function atTemporal<Outcome>(
  { variables, interrupted }: Terminal,
  use: (temporal: TemporalContext) => Promise<Outcome>,
  { finishes = false, lazily = false, connectWithinMs = CONNECT_WITHIN_MS } = {},
): Promise<Outcome> {
  const consoleUrl = consoleUrlIn(variables);
  const interruption = abortOf(interrupted);
  const connecting = connectTemporal({ withinMs: connectWithinMs, lazily }).catch((cause: Error) => {
    const kind = cause instanceof TemporalUnreachable ? 'unreachable' : 'failed';
    throw new CommandFailed(kind, cause.message, { cause });
  });
  const { client, close } = await Promise.race([connecting, interruption]);
  const taskQueue = variables.LOCKERFLOW_TASK_QUEUE || TASK_QUEUE;
  try {
    const flows = new LockerFlows(client, {
      taskQueue,
      consoleUrl,
      lockerCapabilities: capabilitiesIn(variables),
    });
    const using = use({ client, taskQueue, flows });
    return await (finishes ? using : Promise.race([using, interruption]));
  } finally {
    await close();
  }
}

/** Undefined where there is none. Throws CommandFailed (wrong use) for what is not a web address. */
function consoleUrlIn({ CONSOLE_URL: url }: Terminal['variables']): string | undefined {
  if (!url) return undefined;
  try {
    consoleLink(url, '');
  } catch (error) {
    throw wrongUse(`CONSOLE_URL is wrong: ${(error as Error).message}`);
  }
  return url;
}

function abortOf(signal: AbortSignal): Promise<never> {
  const aborted = new Promise<never>((_, reject) => {
    const interrupt = () => reject(new CommandFailed('interrupted', 'interrupted'));
    if (signal.aborted) interrupt();
    else signal.addEventListener('abort', interrupt, { once: true });
  });
  aborted.catch(() => undefined); // Not awaited when a command is done.
  return aborted;
}

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
export function serviceProfileIn({ variables }: Pick<Terminal, 'variables'>): ServiceProfile {
  try {
    return readServiceProfile(readSettings('These settings are wrong', serviceProfileSettings, variables));
  } catch (error) {
    throw wrongUse(error instanceof Error ? error.message : String(error));
  }
}

export interface ActingOptions {
  readonly by?: string;
  readonly why?: string;
}

/** Without --by, Temporal records the program and its machine. */
export const addActingOptions = (command: Command, { needsPerson = false, needsWhy = false } = {}): Command =>
  command
    .addOption(
      new Option('--by <who>', 'who asks for it; the history keeps it').makeOptionMandatory(needsPerson),
    )
    .addOption(new Option('--why <reason>', 'why; the history keeps it').makeOptionMandatory(needsWhy));

export const commandContextIn = (
  terminal: Terminal,
  temporal: TemporalContext,
  { by, why }: ActingOptions = {},
): CommandContext & { readonly service: Pick<LockerApi, 'call'> } => ({
  ...temporal,
  by: by ?? temporal.client.options.identity,
  why,
  service: {
    call: (operation, ...rest) => atLockerService(terminal, (api) => api.call(operation, ...rest)),
  },
});
