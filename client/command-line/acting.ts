// The options --by and --why of commands, which the process records: who acts, and for what reason.
import { type Command, Option } from 'commander';
import type { Acting, AtTemporal } from '../../processes/at-temporal.ts';
import type { LockerApi } from '../../shared/locker-api/index.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';
import { atLockerService } from './locker-service.ts';

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

export const actingIn = (
  terminal: Terminal,
  temporal: AtTemporal,
  { by, why }: ActingOptions = {},
): Acting & { readonly service: Pick<LockerApi, 'call'> } => ({
  ...temporal,
  by: by ?? temporal.client.options.identity,
  why,
  service: {
    call: (operation, ...rest) => atLockerService(terminal, (api) => api.call(operation, ...rest)),
  },
});
