// The connection of one command to Temporal: opened when it is needed, always closed.
import { TASK_QUEUE } from '../../contract/flows/flow-types.ts';
import { type AtTemporal, capabilitiesIn } from '../../processes/at-temporal.ts';
import { CommandFailed, wrongUse } from '../../shared/terminal/exit-codes.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';
import { connectTemporal, TemporalUnreachable } from '../connect.ts';
import { consoleLink } from '../console-link.ts';
import { LockerFlows } from '../locker-flows.ts';

// Enough for a distant server; a person who waits longer thinks that the command hangs.
const CONNECT_WITHIN_MS = 5_000;

/**
 * On Ctrl-C the work is abandoned; a command that `finishes` checks for the interruption itself. One that goes on `lazily` may
 * need no Temporal.
 */
export async function atTemporal<Outcome>(
  { variables, interrupted }: Terminal,
  use: (temporal: AtTemporal) => Promise<Outcome>,
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
