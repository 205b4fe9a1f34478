// `codec-server`: what shows encrypted payloads in the Web UI.
import { once } from 'node:events';
import type { Command } from 'commander';
import { startCodecServer } from '../../client/codec-server/server.ts';
import { readCodecServerSettings } from '../../client/codec-server/settings.ts';
import { wrongUse } from '../../shared/terminal/exit-codes.ts';
import { report } from '../../shared/terminal/report.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';

export function addCodecServer(program: Command, terminal: Terminal): void {
  program
    .command('codec-server')
    .description(
      'decrypt payloads for the Web UI and the temporal program, until Ctrl-C. It needs the keys of the worker ' +
        '(LOCKERFLOW_PAYLOAD_KEYS) and a secret to sign in with (CODEC_SERVER_SECRET)',
    )
    .addHelpText('after', EXAMPLES)
    .action(async (_options: object, command: Command) => {
      const server = await startCodecServer(settingsOf(terminal));
      report(terminal, command, {
        text: `codec server: ${server.url}; sign in there, then name it as the Web UI's codec endpoint`,
        data: { url: server.url },
      });
      if (!terminal.interrupted.aborted) await once(terminal.interrupted, 'abort');
      await server.close();
    });
}

function settingsOf({ variables }: Terminal) {
  try {
    return readCodecServerSettings(variables);
  } catch (cause) {
    throw wrongUse(cause instanceof Error ? cause.message : String(cause));
  }
}

const EXAMPLES = `
Examples:
  LOCKERFLOW_PAYLOAD_KEYS_FILE=payload-keys CODEC_SERVER_SECRET_FILE=codec-secret lockerflow codec-server
  temporal workflow show --workflow-id order-1042 --codec-endpoint http://127.0.0.1:8092 --codec-auth "Bearer $SECRET"`;
