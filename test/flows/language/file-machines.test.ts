// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.
// One machine for all processes of a file: each has its own time, budget and actors.
import { expect, test } from 'vitest';
import { FileMachines } from '../../../flows/language/machine/file-machines.ts';
import { Player } from '../../../flows/simulation/player.ts';
import { fileOf } from './names.ts';

const text = (name: string) => `
name: ${name}
meaning: Says when it was asked.
context: { at: null }
initial: a
states:
  a: { on: { go: { target: b, actions: { type: assign, params: { at: "\${string(now)}" } } } } }
  b: { on: { again: { guard: "\${context.at != null}", target: a } } }
`;

test('copies of a file have one machine, other files have others', () => {
  const machines = new FileMachines();
  const machine = machines.of(fileOf(text('One')));
  expect(machines.of(fileOf(text('One')))).toBe(machine);
  expect(machines.of(fileOf(text('Two')))).not.toBe(machine);
});

test('processes that take turns on one machine keep their own time', () => {
  const file = fileOf(text('One'));
  const machines = new FileMachines();
  const early = new Player(file, { at: '2026-01-05T09:00:00Z', machines });
  const late = new Player(file, { at: '2027-01-05T09:00:00Z', machines });
  for (const player of [early, late]) player.send('go');
  for (const player of [late, early]) player.send('again');
  for (const player of [early, late]) player.send('go');
  expect([early, late].map(({ context }) => String(context.at).slice(0, 4))).toEqual(['2026', '2027']);
});
