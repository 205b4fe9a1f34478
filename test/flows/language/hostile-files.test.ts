// Hostile files: each is refused with a code, or runs within the bounds. Nothing hangs or crashes.

import { expect, test } from 'vitest';
import { fromPromise } from 'xstate';
import { firstStep, nextStep } from '../../../engine/stepper.ts';
import { expressionFailureIn } from '../../../flows/language/expressions/failure.ts';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { machineOf } from '../../../flows/language/machine/machine.ts';
import { readFlowFile } from '../../../flows/language/reading/read-flow-file.ts';
import { findingCodes } from '../../../flows/language/reading/report.ts';
import { atSizes } from '../../support/suite.ts';
import { hostileFiles } from './hostile-files.ts';
import { namesForTests } from './names.ts';

const neverRun = fromPromise(() => Promise.reject(new Error('not in this test')));

/** Runs the start and a few events. Gives the code of the failure that stopped it. */
function run(file: FlowFile): string {
  const machine = machineOf(file, () => neverRun, { now: () => 0 });
  const flow = { key: 'k', name: file.name, version: 1, startedAt: '1970-01-01T00:00:00.000Z' };
  try {
    let { snapshot } = firstStep(machine, { input: {}, flow });
    for (const type of ['GO', 'BACK', 'GO']) {
      if (snapshot.status === 'error') throw snapshot.error;
      if (snapshot.status === 'active') ({ snapshot } = nextStep(machine, snapshot, { type }));
    }
    return 'ran';
  } catch (error) {
    const failure = expressionFailureIn(error);
    if (!failure) throw error;
    return failure.code;
  }
}

atSizes({ short: 120, long: 1_000 }, (files, seed) =>
  test('hostile files are refused with a code or run within the bounds', { timeout: 600_000 }, () => {
    const outcomes = new Map<string, number>();
    for (const text of hostileFiles(files, seed)) {
      const { file, findings } = readFlowFile(text, namesForTests);
      const codes = file ? [run(file)] : findings.map(({ code }) => code);
      for (const code of new Set(codes)) outcomes.set(code, (outcomes.get(code) ?? 0) + 1);
      expect(codes.length).toBeGreaterThan(0);
    }
    const known = [...outcomes.keys()];
    expect(known).toContain('ran');
    // Among many, the tricks reach the checks for which they are made.
    if (files >= 1_000) {
      expect(known).toEqual(expect.arrayContaining(['TooManySteps', 'TooMuchWork', 'ExpressionFailed']));
      expect(known.filter((code) => findingCodes.some((each) => each === code)).length).toBeGreaterThan(20);
    }
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  }),
);
