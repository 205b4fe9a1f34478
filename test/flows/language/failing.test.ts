// Each kind of failure of an expression while a process runs, without Temporal: the process stays in its state, with the code and
// the path, and goes on once a person has dropped the event.
import { expect, test } from 'vitest';
import { chartView } from '../../../engine/chart/chart-view.ts';
import { ExpressionFailure } from '../../../flows/language/expressions/failure.ts';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { idleMachineOf } from '../../../flows/language/machine/machine.ts';
import { readFlowFile } from '../../../flows/language/reading/read-flow-file.ts';
import { Player } from '../../../flows/language/simulation/player.ts';
import { failing, stepping } from './failing.ts';
import { namesForTests } from './names.ts';

function failureOf(run: () => void): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new TypeError('expected a step that fails');
}

test.each(Object.entries(failing))('%s leaves the process where it stood', (_, given) => {
  const { go, states, data = {}, code, path } = given;
  const player = new Player(JSON.parse(stepping('Failing', go, states)) as FlowFile);
  const failure = failureOf(() => player.send('GO', data));
  expect(failure).toBeInstanceOf(ExpressionFailure);
  expect(failure).toMatchObject({ code, path });
  expect([player.isHalted, player.states]).toEqual([true, ['here']]);
  player.send('END');
  expect(player.status).toBe('done');
});

test('the title of a state is what its chart and its progress call it; the rest of its data stays', () => {
  const { file } = readFlowFile(
    `
name: Loan
meaning: A user borrows a device.
initial: lent
states:
  lent:
    title: Lent
    meta: { owner: desk }
    initial: waiting
    states: { waiting: { on: { taken: withUser } }, withUser: { title: With the borrower } }
`,
    namesForTests,
  );
  const machine = idleMachineOf(file as FlowFile);
  const titles = chartView(machine).states.map(({ path, title }) => [path, title]);
  expect(Object.fromEntries(titles)).toEqual({
    '': null,
    lent: 'Lent',
    'lent.waiting': null,
    'lent.withUser': 'With the borrower',
  });
  expect(machine.states.lent?.meta).toEqual({ owner: 'desk', title: 'Lent' });
});
