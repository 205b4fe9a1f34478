// signing-key rotate.
import type { Command } from 'commander';
import { readSettings } from '../../settings.ts';
import { rotateSigningKey } from '../../token/signing-key-rotation.ts';
import type { Administer } from './administer.ts';
import type { Terminal } from './report.ts';

export function addSigningKeyCommands(parent: Command, administer: Administer, terminal: Terminal): void {
  parent
    .command('signing-key')
    .description('the keys that sign access tokens; they also rotate by themselves')
    .command('rotate')
    .description('let a new key sign, once all instances know it; tokens of the old one stay valid')
    .option('--at-once', 'now, refusing every token of an older key: for when a key has become known')
    .action(({ atOnce = false }: { atOnce?: boolean }, command: Command) =>
      administer(command, async (transaction) => {
        const keyId = await rotateSigningKey(
          transaction,
          readSettings(terminal.variables).encryption,
          atOnce,
        );
        return { words: `signing key ${keyId} takes over`, data: { keyId, atOnce } };
      }),
    );
}
