// The page docs/command-line.md: every command's own help, as the program gives it. Nothing of it is written by hand.
import type { Command } from 'commander';
import { commandLine } from '../client/command-line/command-line.ts';
import { WHICH_FLOWS } from '../client/command-line/query-options.ts';
import type { Terminal } from '../runtime/terminal/terminal.ts';

const introduction = `# The command line

<!-- Written by \`npm run docs\` from client/command-line/; a test fails when it is not current. -->

\`npx lockerflow\` in a checkout, or where [the package](integrate.md#the-package) is installed. It talks to
Temporal (\`sandbox\` and \`callback-address\` to the locker service) and uses Temporal's own settings, so it works wherever the \`temporal\` command line works. For \`npm start\`
on this machine it needs no setting. For a remote namespace with TLS or an API key, set the variables below or a profile.

\`\`\`sh
TEMPORAL_ADDRESS=eu.temporal.example:7233 TEMPORAL_NAMESPACE=lockers TEMPORAL_API_KEY=… npx lockerflow list --open
TEMPORAL_PROFILE=production npx lockerflow list --phase NeedsPerson
\`\`\`

- \`--json\` works with every command: one JSON value, or one value on each line if there may be many.
- Results go to the standard output, an error is one line on the standard error, and the exit code says what kind of error.
- A command for all flows that a query finds asks first; \`--dry-run\` lists these flows, \`--yes\` skips the question. The
  command continues when one flow fails, reports each flow, and ends with the totals. It begins with 20
  flows in a second, unless \`--per-second\` says otherwise. After Ctrl-C it finishes the flows that it is working on.
- \`list\` and \`show\` need no worker. Commands that the flow must answer need one: \`watch\`, \`extend\`, \`retry\`, \`parked show\`.`;

/** Help does not depend on where it is read. */
const nowhere: Terminal = {
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
  const program = await commandLine(nowhere);
  const sections = [program, ...program.commands.flatMap((command) => [command, ...command.commands])];
  return `${[introduction, ...sections.map(section)].join('\n\n')}\n`;
}

function section(command: Command): string {
  return [`## ${pathOf(command)}`, '', '```text', shortened(command, helpOf(command)), '```'].join('\n');
}

/** What many commands have alike stands once: the introduction has --json, `list` the options of a query. */
const shortened = (command: Command, help: string): string =>
  help
    .replace(/^ {2}-h, --help .*\n/m, '')
    .split('\n\n')
    .filter((block) => !block.startsWith('Global Options:') && block !== 'Options:')
    .map((block) =>
      block.startsWith(WHICH_FLOWS) && command.name() !== 'list'
        ? `${WHICH_FLOWS} the same options as lockerflow list`
        : block,
    )
    .join('\n\n');

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** With what is added after it: examples, exit codes. */
function helpOf(command: Command): string {
  let help = '';
  const write = (text: string) => {
    help += text;
  };
  command.configureOutput({ ...command.configureOutput(), writeOut: write, getOutHelpWidth: () => 100 });
  command.outputHelp();
  return help.trimEnd();
}
