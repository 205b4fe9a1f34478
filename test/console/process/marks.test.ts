// What the chart of a process says of its states: where something failed there is no check mark, and what has ended counts
// nothing down.
import { expect, test } from 'vitest';
import type { ProcessStep } from '../../../console/process/process-view.ts';

// By a name that the compiler does not follow: it checks the page with the types of a browser, and the tests without.
const PAGE = '../../../console/page/process/marks.ts';
const { marksOf } = (await import(PAGE)) as {
  marksOf(moment: object): { readonly failed: ReadonlySet<string>; readonly isOver: boolean };
};

const step = (active: string, taken: object[] = [], isHalted = false) =>
  ({ active: ['', active], taken, lines: [], isHalted }) as unknown as ProcessStep;
const took = (from: string, event: string) => ({ from, event, to: [] });

const failedOf = (steps: readonly ProcessStep[], active: string, ended?: 'well' | 'badly') => [
  ...marksOf({ active: ['', active], nextLines: [], timers: [], steps, nowMs: 0, ended }).failed,
];

test('a state whose call failed is marked as failed, until the process has left it in another way', () => {
  const failing = [step('calling'), step('asking', [took('calling', 'post failed')])];
  expect(failedOf(failing, 'asking')).toEqual(['calling']);
  const again = [...failing, step('calling', [took('asking', 'ask done')])];
  expect(failedOf([...again, step('over', [took('calling', 'post done')])], 'over')).toEqual([]);
  expect(failedOf([step('counting', [], true)], 'counting')).toEqual(['counting']);
});

test('where a process was when it was cancelled or failed is marked too, and one that has ended is nowhere now', () => {
  expect(failedOf([step('waiting')], 'waiting', 'badly')).toEqual(['waiting']);
  expect(failedOf([step('over')], 'over', 'well')).toEqual([]);
  const moment = { active: [], nextLines: [], timers: [], nowMs: 0 };
  expect([marksOf({ ...moment, ended: 'well' }).isOver, marksOf(moment).isOver]).toEqual([true, false]);
});
