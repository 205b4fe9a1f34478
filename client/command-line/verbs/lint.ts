// `lint`: the errors of flow files, and valid parts that will not do what the author thinks.
import type { Command } from 'commander';
import { lintFindings } from '../../../flow-files/lint/lint.ts';
import { type LintFinding, lintRules, wordsOfLint } from '../../../flow-files/lint/lint-finding.ts';
import { type Finding, wordsOfFinding } from '../../../flow-files/reading/finding.ts';
import { CommandFailed } from '../../../terminal/exit-codes.ts';
import { wantsJson } from '../../../terminal/report.ts';
import type { Terminal } from '../../../terminal/terminal.ts';
import { checkedFile } from '../flow-file-text.ts';

export function addLint(program: Command, terminal: Terminal): void {
  program
    .command('lint')
    .description('check flow files: whether they are valid, and whether they do what their author thinks')
    .argument('<FILE...>', 'flow files, as YAML or JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (paths: string[], _: unknown, command: Command) => {
      let isClean = true;
      const read = await Promise.all(paths.map(async (path) => ({ path, ...(await checkedFile(path)) })));
      const files = read.flatMap(({ file }) => file ?? []);
      for (const { path, file, findings } of read) {
        const found = file ? lintFindings(file, files) : findings;
        isClean &&= found.length === 0;
        if (wantsJson(command)) terminal.write(`${JSON.stringify({ file: path, findings: found })}\n`);
        else
          terminal.write(
            `${[path, ...found.map((each) => `  ${words(each)}`)].join('\n')}${found.length > 0 ? '' : ': clean'}\n`,
          );
      }
      if (!isClean)
        throw new CommandFailed('failed', 'there are findings; docs/flow-files.md tells of each code');
    });
}

const EXAMPLES = `
Examples:
  lockerflow lint device-loan.flow.yaml
  lockerflow lint --json flows/*.flow.yaml`;

const words = (found: Finding | LintFinding): string =>
  isLint(found) ? wordsOfLint(found) : wordsOfFinding(found);

const isLint = (found: Finding | LintFinding): found is LintFinding => Object.hasOwn(lintRules, found.code);
