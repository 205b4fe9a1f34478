// Each kind of failure of an expression while a process runs, without Temporal: the process stays in its state, with the code and
// the path, and goes on once a person has dropped the event.
import { expect, test } from 'vitest';
import { ExpressionFailure } from '../../flow-files/expressions/failure.ts';
import type { FlowFile } from '../../flow-files/flow-file.ts';
import { Player } from '../../flow-files/playing/player.ts';
import { failing, stepping } from './failing.ts';

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
