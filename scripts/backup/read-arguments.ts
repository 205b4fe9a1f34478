// The words of both commands: one folder, and the options.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface CommandArguments {
  /** Where the command was typed, not where npm runs it. */
  readonly folder: string;
  readonly fromElsewhere: boolean;
}

/** Prints the help and ends the process where it is asked for. Throws an Error that shows how the command is called. */
export function readArguments(command: 'backup' | 'restore', help: string): CommandArguments {
  const usage = `expected one folder: npm run ${command} -- ../lockerflow-backup`;
  const isRestore = command === 'restore';
  let given: ReturnType<typeof parsed>;
  try {
    given = parsed(isRestore);
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}; ${usage}`, { cause: error });
  }
  if (given.values.help) {
    console.log(help);
    process.exit(0);
  }
  const [folder, ...others] = given.positionals;
  if (!folder || others.length > 0) throw new Error(usage);
  return {
    folder: resolve(process.env.INIT_CWD ?? '.', folder),
    fromElsewhere: given.values['from-elsewhere'] === true,
  };
}

const parsed = (isRestore: boolean) =>
  parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      ...(isRestore && { 'from-elsewhere': { type: 'boolean' } }),
    },
  });
