// The page docs/command-line.md: every command's own help, as the program gives it. Nothing of it is written by hand.
import type { Command } from 'commander';
import { commandLine } from '../client/command-line/command-line.ts';
import type { Terminal } from '../terminal/terminal.ts';

const introduction = `# The command line

<!-- Written by \`npm run docs\` from client/command-line/; a test fails when it is not current. -->

\`npx lockerflow\` in a checkout, or where [the package](integrate.md#the-package) is installed. It speaks to Temporal
alone, by Temporal's own configuration, so it works wherever the \`temporal\` command line does: \`npm start\` on this
machine without any setting, a remote namespace with TLS or an API key by the variables below or by a profile.

\`\`\`sh
TEMPORAL_ADDRESS=eu.temporal.example:7233 TEMPORAL_NAMESPACE=lockers TEMPORAL_API_KEY=… npx lockerflow list --open
TEMPORAL_PROFILE=production npx lockerflow list --phase NeedsPerson
\`\`\`

- \`--json\` works with every command: one JSON value, or one to a line where there may be many.
- What went well is on the standard output, what did not is one line on the standard error, and the exit code says which.
- A command on all that a query finds asks first; \`--dry-run\` tells which flows it would be, \`--yes\` does not ask. It goes
  on when one fails, tells of each, and ends with the sum. Ctrl-C lets what has begun finish.
- \`list\` and \`show\` need no worker. What a flow itself must answer does: \`watch\`, \`extend\`, \`resolve\`, \`parked show\`.`;

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

export function commandLinePage(): string {
  const program = commandLine(nowhere);
  const sections = [program, ...program.commands.flatMap((command) => [command, ...command.commands])];
  return `${[introduction, ...sections.map(section)].join('\n\n')}\n`;
}

function section(command: Command): string {
  return [`## ${pathOf(command)}`, '', '```text', helpOf(command), '```'].join('\n');
}

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
