// The page docs/command-line.md: what the commands have alike, and their list as the program gives it. The options of each stand in
// its own help.
import type { Command } from 'commander';
import { commandLine } from '../client/command-line/command-line.ts';
import type { Terminal } from '../shared/terminal/terminal.ts';

const introduction = `# The command line

<!-- Written by \`npm run docs\` from client/command-line/; a test fails when it is not current. -->

\`npx lockerflow\` in a checkout, or where [the package](integrate.md#the-package) is installed. It talks to
Temporal (\`sandbox\` and \`callback-address\` to the locker service) and uses Temporal's own settings, so it works wherever the \`temporal\` command line works. For \`npm start\`
on this machine it needs no setting. For a remote namespace with TLS or an API key, set the variables below or a profile.

\`\`\`sh
TEMPORAL_ADDRESS=eu.temporal.example:7233 TEMPORAL_NAMESPACE=lockers TEMPORAL_API_KEY=… npx lockerflow list --open
TEMPORAL_PROFILE=production npx lockerflow list --phase NeedsPerson
\`\`\`

- \`--help\` after a command says its arguments and options, with examples: \`npx lockerflow extend --help\`.
- \`--json\` works with every command: one JSON value, or one value on each line if there may be many.
- Results go to the standard output, an error is one line on the standard error, and the exit code says what kind of error.
- A command for all flows that a query finds asks first; \`--dry-run\` lists these flows, \`--yes\` skips the question. The
  command continues when one flow fails, reports each flow, and ends with the totals. It begins with 20
  flows in a second, unless \`--per-second\` says otherwise. After Ctrl-C it finishes the flows that it is working on.
- \`list\` and \`show\` need no worker. Commands that the flow must answer need one: \`watch\`, \`extend\`, \`retry\`, \`parked show\`.`;

/** Help does not depend on where it is read. */
export const nowhere: Terminal = {
  variables: {},
  isInteractive: false,
  columns: () => 100,
  rows: () => 24,
  write: () => undefined,
  complain: () => undefined,
  read: async () => '',
  interrupted: new AbortController().signal,
};

export async function commandLinePage(): Promise<string> {
  return `${[introduction, '', '```text', helpOf(await commandLine(nowhere)), '```'].join('\n')}\n`;
}

/** With what is added after it: examples, exit codes. */
export function helpOf(command: Command): string {
  let help = '';
  const write = (text: string) => {
    help += text;
  };
  command.configureOutput({ ...command.configureOutput(), writeOut: write, getOutHelpWidth: () => 100 });
  command.outputHelp();
  return help.trimEnd();
}
