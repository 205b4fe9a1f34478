// A real terminal (tmux) with the program running in it, as a person sees it and types into it.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inject, onTestFinished, vi } from 'vitest';

const program = fileURLToPath(new URL('../../cli/lockerflow.mjs', import.meta.url));

const run = async (...words: string[]) => (await promisify(execFile)('tmux', words)).stdout;

export const hasTmux = await run('-V').then(
  () => true,
  () => false,
);
export const noTmux = 'tmux is not installed: what is shown in a terminal is not tested';

export interface TerminalWindow {
  /** What it shows now, line by line. */
  lines(): Promise<string[]>;
  /** Resolves when it shows that. */
  shows(text: string): Promise<void>;
  type(...keys: string[]): Promise<void>;
}

/** Shows `ended with` and its exit code when the program has ended. Closed with the test. */
export async function openTerminal(...words: string[]): Promise<TerminalWindow> {
  const socket = `lockerflow-${randomUUID()}`;
  const tmux = (...more: string[]) => run('-L', socket, ...more);
  onTestFinished(async () => void (await tmux('kill-server').catch(() => undefined)));
  const environment = ['-e', `TEMPORAL_ADDRESS=${inject('temporalAddress')}`, '-e', 'NODE_NO_WARNINGS=1'];
  const quoted = [process.execPath, program, ...words].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  // The shell outlives a Ctrl-C, to tell the exit code.
  const command = `trap '' INT; ${quoted.join(' ')}; echo "ended with $?"; cat`;
  await tmux('-f', '/dev/null', 'new-session', '-d', '-x', '130', '-y', '30', ...environment, command);
  const screen = () => tmux('capture-pane', '-p');
  return {
    lines: async () => (await screen()).trimEnd().split('\n'),
    shows: async (text) => {
      await vi.waitUntil(async () => (await screen()).includes(text), { timeout: 60_000, interval: 100 });
    },
    type: async (...keys) => void (await tmux('send-keys', ...keys)),
  };
}
