// The page docs/command-line.md: what the commands have alike, what each is for, and the exit codes. What else there is to say of
// one stands in its own help.
import type { Command } from 'commander';
import { commandLine } from '../cli/command-line.ts';
import type { Terminal } from '../shared/terminal/terminal.ts';

const introduction = `# The command line

<!-- Written by \`npm run docs\` from cli/; a test fails when it is not current. -->

\`npx lockerflow\` works in a checkout, and where [the package](integrate.md#the-package) is installed. It talks to Temporal
(\`sandbox\` and \`callback-address\` to the locker service), with Temporal's own settings. For \`npm start\` or \`lockerflow dev\`
in the same folder it needs none; for a remote namespace with TLS or an API key, set the variables below or a profile.

\`\`\`sh
TEMPORAL_ADDRESS=eu.temporal.example:7233 TEMPORAL_NAMESPACE=lockers TEMPORAL_API_KEY=… npx lockerflow list --open
TEMPORAL_PROFILE=production npx lockerflow list --phase NeedsPerson
\`\`\`

- \`--help\` after a command says its arguments and options, with examples: \`npx lockerflow extend --help\`.
- \`--json\` works with every command: one JSON value, or one value on each line if there may be many.
- Results go to the standard output; an error is one line on the standard error.
- A moment is typed in the time of the terminal: \`22:00\` or \`"2031-05-01 22:00"\`, and for what looks back \`8h\` or \`30min\`. One with
  an offset (\`2031-05-01T22:00:00Z\`) means the same everywhere; without it, \`2031-05-01\` and \`2031-05-01T22:00\` are UTC in a search
  (\`--started-after\`) and in \`compare\`.
- Moments are printed in UTC, which the heading says, in \`--json\` as ISO 8601. \`log\`, \`extend\` and \`shorten\` print them as they
  are typed, in the time of the terminal; the heading of \`log\` names it.
- A command for all flows that a query finds asks first; \`--dry-run\` lists these flows, \`--yes\` skips the question. It begins
  with 20 flows a second (\`--per-second\`), continues when one fails, reports each, and ends with the totals. After Ctrl-C it
  finishes the flows that it is working on. With \`--detach\` a [batch](operate.md#one-command-for-many) does it, which goes on without this program.
- \`list\` and \`show\` need no worker; without one, \`list\` does not know where an open process stands. For whom it is, and the item,
  \`list\` asks the locker service: where that cannot be asked, it leaves them out and says why. Commands that the flow must answer need one: \`watch\`, \`extend\`, \`retry\`, \`unmatched show\`.`;

/** Help does not depend on where it is read. */
export const nowhere: Terminal = {
  variables: {},
  isInteractive: false,
  write: () => undefined,
  complain: () => undefined,
  read: async () => '',
  interrupted: new AbortController().signal,
};

export async function commandLinePage(): Promise<string> {
  const program = await commandLine(nowhere);
  const verbs = program.commands.map((verb) => `| \`${titleOf(verb)}\` | ${inShort(verb.description())} |`);
  const [, codes = ''] = helpOf(program).split('\nExit codes:\n');
  const meanings = [...codes.matchAll(/^ +(\d+) {2}(.+)$/gm)].map(
    ([, code, meaning]) => `| ${code} | ${meaning} |`,
  );
  const verbTable = ['| command | does |', '|---|---|', ...verbs];
  const codeTable = ['| exit code | means |', '|---|---|', ...meanings];
  return `${[introduction, '', ...verbTable, '', ...codeTable].join('\n')}\n`;
}

/** With its arguments, or with the verbs below it. */
function titleOf(verb: Command): string {
  const below = verb.commands.map((each) => each.name()).filter((name) => name !== 'help');
  const given = verb.registeredArguments.map((each) => {
    const name = each.variadic ? `${each.name()}...` : each.name();
    return each.required ? `<${name}>` : `[${name}]`;
  });
  return [verb.name(), ...(below.length > 0 ? [below.join(', ')] : given)].join(' ');
}

/** Its first sentence, without what follows a colon or a semicolon; the whole text is in its help. */
const inShort = (description: string): string => description.split(/[.:;](?= )/)[0] ?? '';

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
