// The check of an input with ways and the rule of its JSON Schema say the same of every choice of fields.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { bodySchema } from '../../../console/api/commands.ts';
import { extend } from '../../../processes/commands/extend.ts';

const values = {
  role: 'issue',
  stage: 'pickUp',
  timer: 'waiting.P1D',
  next: true,
  extendBy: 'P1D',
  fromNow: 'P1D',
  until: '2031-05-01T12:00:00Z',
} as const;

test('exactly one way is taken by the check and by the schema, whatever else is given', () => {
  const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(bodySchema('extend'));
  const names = Object.keys(values) as (keyof typeof values)[];
  const taken: string[] = [];
  for (let chosen = 0; chosen < 2 ** names.length; chosen += 1) {
    const given = names.filter((_, at) => (chosen >> at) % 2 === 1);
    const body = Object.fromEntries(given.map((name) => [name, values[name]]));
    expect(isValid({ ...body, why: 'ill' }), given.join(' ')).toBe(extend.read(body).done);
    if (extend.read(body).done) taken.push(given.join(' '));
  }
  expect(taken).toEqual([
    'role stage extendBy',
    'timer extendBy',
    'next extendBy',
    'role stage fromNow',
    'timer fromNow',
    'next fromNow',
    'role stage until',
    'timer until',
    'next until',
  ]);
});
