// `console-link`: what opens the console.

import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type MadeLink, makeLink } from '../../client/sign-in-links.ts';
import { isUserName, rightsIn, USER_NAME_RULE } from '../../shared/settings/console-rights.ts';
import { CommandFailed, wrongUse } from '../../shared/terminal/exit-codes.ts';
import { report } from '../../shared/terminal/report.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';

/** Long enough to send it to a colleague at the next desk. */
const VALID_MINUTES = 10;
const MINUTE_MS = 60_000;

export function addConsoleLink(program: Command, terminal: Terminal): void {
  program
    .command('console-link')
    .description(`make a link that signs one person in to the console, once, within ${VALID_MINUTES} minutes`)
    .option('--name <name>', 'of the person, as processes keep it with each decision; your own if not given')
    .option(
      '--roles <roles>',
      'look, decide, administer and inbox:<name>, with commas',
      'look,decide,administer',
    )
    .option('--home <folder>', 'LOCKERFLOW_HOME of the console; that of the environment, or .lockerflow')
    .option('--url <url>', 'the address of the console for the browser; its own if not given')
    .addHelpText('after', MORE)
    .action((options: Options, command: Command) => {
      const home = resolve(options.home ?? (terminal.variables.LOCKERFLOW_HOME || '.lockerflow'));
      const by = loginName();
      const name = nameIn(options.name ?? by);
      const rights = rightsIn(options.roles);
      if (typeof rights === 'string') throw wrongUse(`--roles: ${rights}`);
      const url = urlIn(options.url);
      const endsAt = Date.now() + VALID_MINUTES * MINUTE_MS;
      const link = { name, by, endsAt, roles: [...rights.roles], inboxes: [...rights.inboxes] };
      const { secret, address } = made(home, () => makeLink(home, link));
      // Behind the #, which no server and no log gets.
      const whole = `${(url ?? address).replace(/\/+$/, '')}/#sign-in=${secret}`;
      report(terminal, command, {
        text: whole,
        data: { link: whole, name, ...rights, validUntil: new Date(endsAt).toISOString() },
      });
    });
}

interface Options {
  readonly name?: string;
  readonly roles: string;
  readonly home?: string;
  readonly url?: string;
}

function nameIn(name: string): string {
  if (isUserName(name)) return name;
  throw wrongUse(`--name: ${JSON.stringify(name)} is not a name; it ${USER_NAME_RULE}`);
}

function urlIn(url: string | undefined): string | undefined {
  if (url === undefined || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) return url;
  throw wrongUse(
    `--url: ${JSON.stringify(url)} is not an address; expected one like https://console.example`,
  );
}

function made(home: string, make: () => MadeLink): MadeLink {
  try {
    return make();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT')
      throw new CommandFailed(
        'notFound',
        `no console has run with the folder ${home}; expected the LOCKERFLOW_HOME of the console, in the environment or as --home`,
        { cause },
      );
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
      throw new CommandFailed(
        'failed',
        `you may not make links: ${home} belongs to the user that runs the console; run this command as that user, on its machine`,
        { cause },
      );
    throw cause;
  }
}

function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'operator'; // A container's user may have no name.
  }
}

const MORE = `
Run it on the machine of the console, as the user that runs the console: whoever may not write in its folder is refused. The
console need not be restarted. Each link works once; anybody who has it can use it, so send it to one person only.

Examples:
  lockerflow console-link
  lockerflow console-link --name anna --roles look,decide
  docker compose exec console node cli/main.ts console-link --name anna --roles inbox:claims --url https://console.example`;
