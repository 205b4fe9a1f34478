// docs/statecharts.md holds what the engine's tests show: each feature of its table, each code, the version of xstate.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chartErrorCodes } from '../../engine/chart/check.ts';
import { actions } from '../engine/features/actions.ts';
import { refused } from '../engine/features/refused.ts';
import { states } from '../engine/features/states.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/statecharts.md'), 'utf8');

/** What runs with Temporal only, by the test that shows it. */
const durable: Readonly<Record<string, readonly [string, string]>> = {
  'an activity (`activity`)': [
    'statechart.test.ts',
    'a machine by itself is a workflow: input, signal, activity, result',
  ],
  'a child workflow (`childWorkflow`), and `sendTo` it': [
    'statechart.test.ts',
    'a child workflow is an actor: it gets events, and its result is the output',
  ],
  'an activity as an action (`activityAction`)': [
    'statechart.test.ts',
    'an activity as an action is over when the workflow ends',
  ],
};

/** The cells of the rows of the first table under a heading. */
function table(heading: string): string[][] {
  const [, text = ''] = page.split(`\n## ${heading}\n`);
  const [section = ''] = text.split('\n## ');
  return section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) => line.slice(2, -2).split(' | '));
}

test('the list of features has exactly those that the tests show', () => {
  const [, text = ''] = page.split('\n## Every feature of xstate\n');
  const [list = ''] = text.split('\n\nWhat the engine cannot run');
  const told = list
    .split('\n- **')
    .slice(1)
    .flatMap((group) =>
      group
        .replace(/^\w+\*\*: |\.$/g, '')
        .replaceAll(/\s+/g, ' ')
        .split('; '),
    );
  const shown = [...Object.keys(states), ...Object.keys(actions), ...Object.keys(durable)];
  expect(told.sort()).toEqual(shown.sort());
});

test('each machine that the engine refuses has a code of the table', () => {
  for (const [name, { code }] of Object.entries(refused)) expect(chartErrorCodes, name).toContain(code);
});

describe('a feature that runs with Temporal only has a test', () => {
  test.each(Object.entries(durable))('%s', (_, [file, title]) => {
    expect(readFileSync(join(root, 'test/engine', file), 'utf8')).toContain(`test('${title}'`);
  });
});

test('each code has its line, and each line its code', () => {
  const lines = table('Refusals').map(([code = '']) => code.replaceAll('`', ''));
  expect(lines).toEqual(chartErrorCodes);
});

test('the version of xstate to install is the one that the package is pinned to', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(dependencies.xstate).toMatch(/^\d+\.\d+\.\d+$/);
  expect(page).toContain(`npm install lockerflow xstate@${dependencies.xstate} `);
});
