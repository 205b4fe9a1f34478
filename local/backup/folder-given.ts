// The one argument of both commands.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** Where the command was typed, not where npm runs it. Throws an Error that shows how the command is called. */
export function folderGiven(command: 'backup' | 'restore'): string {
  const usage = `expected one folder: npm run ${command} -- ../lockerflow-backup`;
  let given: string[];
  try {
    given = parseArgs({ allowPositionals: true, options: {} }).positionals;
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}; ${usage}`, { cause: error });
  }
  const [folder, ...others] = given;
  if (!folder || others.length > 0) throw new Error(usage);
  return resolve(process.env.INIT_CWD ?? '.', folder);
}
