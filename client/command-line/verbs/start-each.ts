// `start --each`: one process for each row of a file, under a key that is made of the row. The same file again starts nothing
// twice, so an interrupted start is repeated with the same command.
import type { Command } from 'commander';
import { eachAtOnce } from '../../../processes/at-once.ts';
import type { Acting } from '../../../processes/at-temporal.ts';
import { unforeseen } from '../../../processes/bulk.ts';
import { start } from '../../../processes/commands/start.ts';
import type { Outcome } from '../../../processes/outcome.ts';
import { type Batch, type RowStart, startsOfRows } from '../../../processes/start-rows.ts';
import { CommandFailed } from '../../../shared/terminal/exit-codes.ts';
import { type Report, report, wantsJson } from '../../../shared/terminal/report.ts';
import type { Terminal } from '../../../shared/terminal/terminal.ts';
import { refusalMessage } from '../failure-messages.ts';
import { rowsOf } from '../input-files.ts';

export interface EachOptions {
  /** The file. */
  readonly each: string;
  /** With columns in braces: `loan-{device}`. */
  readonly key: string;
  readonly perSecond: number;
  readonly dryRun?: true;
}

interface BatchStart extends Omit<Batch, 'key'> {
  readonly acting: Acting;
  readonly flow: string;
}

interface Start extends RowStart {
  readonly line: number;
}

export async function startEach(
  terminal: Terminal,
  command: Command,
  { each, key: template, perSecond, dryRun }: EachOptions,
  given: BatchStart,
): Promise<void> {
  const read = await rowsOf(terminal, each);
  const lineOf = (index: number): number => read[index]?.line ?? 0;
  const batch = { key: template, ...given };
  const rows: Start[] = startsOfRows(
    read.map(({ fields }) => fields),
    batch,
    (index) => `line ${lineOf(index)}`,
  ).map((start, index) => ({ ...start, line: lineOf(index) }));
  const json = wantsJson(command);
  const { acting, flow } = given;
  const act = ({ key, input }: Start): Promise<Outcome<unknown>> =>
    dryRun
      ? start.check(acting, key, { flow, input: input() })
      : start.do(acting, key, { flow, input: input() });
  const counts = { rows: rows.length, started: 0, refused: 0 };
  for await (const { item, outcome } of eachAtOnce(rows, act, {
    interrupted: terminal.interrupted,
    perSecond,
  })) {
    const became: Outcome<unknown> = outcome.done
      ? outcome.value
      : { done: false, refusal: unforeseen(outcome.error) };
    counts[became.done ? 'started' : 'refused'] += 1;
    report(terminal, command, resultOf(item, became, dryRun === true));
  }
  conclude(terminal, json, counts, dryRun === true);
}

function resultOf({ key, line }: Start, became: Outcome<unknown>, isDryRun: boolean): Report {
  if (became.done)
    return isDryRun
      ? { data: { key, line, outcome: 'wouldStart' }, words: `${key}: would start` }
      : { data: { key, line, outcome: 'started' }, words: `${key}: started` };
  const error = refusalMessage(became.refusal);
  return {
    data: { key, line, outcome: 'refused', code: became.refusal.code, error },
    words: `${key} (line ${line}): ${error}`,
  };
}

interface Counts {
  readonly rows: number;
  readonly started: number;
  readonly refused: number;
}

function conclude(terminal: Terminal, json: boolean, counts: Counts, dryRun: boolean): void {
  const { rows, started, refused } = counts;
  const notTried = rows - started - refused;
  const sum = [
    `${started} of ${rows} ${rows === 1 ? 'row' : 'rows'} ${dryRun ? 'would start' : 'started'}`,
    refused && `${refused} refused`,
    notTried && `${notTried} not tried`,
  ]
    .filter(Boolean)
    .join(', ');
  const summary = { ...counts, notTried, ...(dryRun && { dryRun }) };
  terminal.write(`${json ? JSON.stringify({ summary }) : sum}\n`);
  if (notTried > 0)
    throw new CommandFailed('interrupted', `interrupted: ${sum}; the same command again starts the others`);
  if (refused > 0) throw new CommandFailed('failed', sum);
}
