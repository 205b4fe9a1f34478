// The plan of a migration as a file: read for a migration, or written by a dry run, with its gaps.
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { PlanData } from '../../../contract/flows/migrations.ts';
import { PLAN_FORM, planIn, planWithGaps } from '../../../processes/migration-plan.ts';
import type { DryRun, MigrationTarget } from '../../../processes/migrations.ts';
import { CommandError } from '../../../processes/outcome.ts';
import { wrongUse } from '../../../shared/terminal/exit-codes.ts';

export async function readPlan(path: string): Promise<PlanData> {
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    const expected = `a plan in YAML, ${PLAN_FORM}, as --dry-run writes one`;
    throw wrongUse(`--plan ${path} cannot be read (${cause.message}); expected ${expected}`);
  });
  try {
    return planIn(text);
  } catch (error) {
    if (error instanceof CommandError) throw wrongUse(`--plan ${path}: ${error.message}`);
    throw error;
  }
}

interface WrittenPlan {
  /** Null: there is nothing to write, or a file that is not overwritten. */
  readonly path: string | null;
  readonly lines: readonly string[];
  /** Why there is no file of it though there is to be one. */
  readonly failure?: string;
}

/** Only where something is missing. */
export async function writtenPlan(
  { groups }: DryRun,
  plan: string | undefined,
  { flow, to }: MigrationTarget,
): Promise<WrittenPlan> {
  const text = planWithGaps(groups);
  if (text === null) return { path: null, lines: [] };
  const path = resolve(plan ?? `${flow}.${to}.migration.yaml`);
  const missing = text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`);
  try {
    // Never over a plan that somebody has filled in.
    await writeFile(path, text, { flag: 'wx' });
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      return { path: null, lines: [formatExisting(path, plan !== undefined), ...missing] };
    // What the dry run has found is not lost with it.
    const failure = `the plan could not be written to ${path} (${message}); name a file in a folder that you can write to with --plan`;
    return { path: null, lines: ['Missing is:', ...missing], failure };
  }
  return { path, lines: [`the plan with its gaps is in ${path}`] };
}

const formatExisting = (path: string, wasRead: boolean): string =>
  wasRead
    ? `${path} exists and is not overwritten. Missing in it is:`
    : `${path} exists and is not overwritten, and was not read: go by it with --plan, or name another file. Missing is:`;
