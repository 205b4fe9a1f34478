// signing-key rotate.
import type { Command } from 'commander';
import { addYesOption, type ConfirmOptions, confirm } from '../../../runtime/terminal/confirm.ts';
import type { Terminal } from '../../../runtime/terminal/terminal.ts';
import { readSettings } from '../../settings.ts';
import { rotateSigningKey } from '../../token/signing-key-rotation.ts';
import type { Administer } from './administer.ts';

interface RotateOptions extends ConfirmOptions {
  readonly atOnce?: boolean;
}

export function addSigningKeyCommands(parent: Command, administer: Administer, terminal: Terminal): void {
  addYesOption(
    parent
      .command('signing-key')
      .description('the keys that sign access tokens; they also rotate by themselves')
      .command('rotate')
      .description('let a new key sign, once all instances know it; tokens of the old one stay valid')
      .option('--at-once', 'now, and refuse every token of an older key: use it if a key has leaked'),
  ).action(async ({ atOnce = false, ...options }: RotateOptions, command: Command) => {
    if (atOnce) await confirm(terminal, command, options, 'refuse every token of an older key?');
    await administer(command, async (transaction) => {
      const { encryption } = readSettings(terminal.variables);
      const keyId = await rotateSigningKey(transaction, encryption, atOnce);
      return { words: `signing key ${keyId} takes over`, data: { keyId, atOnce } };
    });
  });
}
