// `lockerflow` and `lockerflow-service` look and feel alike: help, version, JSON, exit codes, confirmations.
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { commandLine, runCommandLine } from '../../../cli/command-line.ts';
import { dashed } from '../../../cli/options.ts';
import { bulkNames, commands, describedNames } from '../../../processes/commands/commands.ts';
import {
  runCommandLine as runServiceCommandLine,
  commandLine as serviceCommandLine,
} from '../../../service/command-line.ts';
import { exitCodes } from '../../../shared/terminal/exit-codes.ts';
import { nowhere } from '../../support/nowhere.ts';

const programs = [
  { name: 'lockerflow', commandLine, run: runCommandLine },
  { name: 'lockerflow-service', commandLine: serviceCommandLine, run: runServiceCommandLine },
] as const;

const verbsOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(verbsOf);

describe.each(programs)('$name', ({ name, commandLine: of, run }) => {
  async function ended(...words: string[]) {
    let written = '';
    let complaint = '';
    const exitCode = await run(words, {
      ...nowhere,
      write: (text) => {
        written += text;
      },
      complain: (line) => {
        complaint += line;
      },
    });
    return { exitCode, written, complaint };
  }

  test('says its version', async () => {
    expect(await ended('--version')).toEqual({
      exitCode: 0,
      written: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      complaint: '',
    });
  });

  test('has --json in the help of each verb, and the exit codes in its own', async () => {
    const program = await of(nowhere);
    expect(program.name()).toBe(name);
    for (const verb of verbsOf(program)) expect(verb.helpInformation(), verb.name()).toContain('--json');
    const { written } = await ended('--help');
    const codes = [...written.slice(written.indexOf('Exit codes:')).matchAll(/^ +(\d+) {2}/gm)].map(
      ([, code]) => Number(code),
    );
    expect(codes.slice(0, 5)).toEqual([
      exitCodes.done,
      exitCodes.failed,
      exitCodes.wrongUse,
      exitCodes.notFound,
      exitCodes.unreachable,
    ]);
    expect(codes.at(-1)).toBe(exitCodes.interrupted);
  });

  test('says why a command is wrong, and where the help is', async () => {
    const { exitCode, complaint } = await ended('--far');
    expect({ exitCode, complaint }).toEqual({
      exitCode: exitCodes.wrongUse,
      complaint: "unknown option '--far'; see --help",
    });
  });

  test('asks before a command that cannot be undone, or takes --yes', async () => {
    const asking = verbsOf(await of(nowhere)).filter(({ options }) =>
      options.some(({ long }) => long === '--yes'),
    );
    const toProcesses = describedNames.filter((each) => bulkNames.includes(each) || commands[each].risksOf);
    const paths = asking.map((verb) => `${verb.parent?.name()} ${verb.name()}`);
    expect(paths).toEqual(
      name === 'lockerflow'
        ? [
            ...toProcesses.map((each) => `lockerflow ${dashed(each).slice('--'.length)}`),
            'shipment cancel',
            'shipment unlock',
          ]
        : ['lockerflow-service allow-staging', 'client retire', 'client revoke', 'signing-key rotate'],
    );
  });
});
