// encryption-key create, encryption-key rotate; signing-key rotate.
import type { Command } from 'commander';
import { newKeyLine } from '../../../shared/settings/key-ring.ts';
import { addYesOption, type ConfirmOptions, confirm } from '../../../shared/terminal/confirm.ts';
import { report } from '../../../shared/terminal/report.ts';
import type { Terminal } from '../../../shared/terminal/terminal.ts';
import { encryptAnew } from '../../encryption/stored-keys.ts';
import { readSettings } from '../../settings.ts';
import { rotateSigningKey } from '../../token/signing-keys.ts';
import type { Administer } from './administer.ts';

export function addEncryptionKeyCommands(parent: Command, administer: Administer, terminal: Terminal): void {
  const encryptionKey = parent
    .command('encryption-key')
    .description('the keys of SERVICE_ENCRYPTION_KEY_FILE, which encrypt the keys in the database');

  encryptionKey
    .command('create')
    .description('print a new line for the file of encryption keys; the first line of the file encrypts')
    .action((_options, command: Command) => {
      const line = newKeyLine();
      report(terminal, command, { text: line, data: { line } });
    });

  encryptionKey
    .command('rotate')
    .description('encrypt all stored keys with the first encryption key; then the others are not needed')
    .action((_options, command: Command) =>
      administer(command, async (transaction) => {
        const { encryption } = readSettings(terminal.variables);
        const count = await encryptAnew(transaction, encryption);
        const keyId = encryption.currentKeyId;
        const text = `${count} stored keys are encrypted anew; the encryption key ${keyId} is the only one in use`;
        return { text, data: { keyId, encryptedAnew: count } };
      }),
    );
}

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
      return { text: `signing key ${keyId} takes over`, data: { keyId, atOnce } };
    });
  });
}
