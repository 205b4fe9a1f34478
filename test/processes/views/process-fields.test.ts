// What may be asked of a process by name.
import { expect, test } from 'vitest';
import { flowName } from '../../../processes/views/process-fields.ts';
import { fileOf } from '../../flows/language/names.ts';

test('each name that a published file may have is the name of a flow', () => {
  for (const name of ['deskCheck', 'Desk_Check-2', `a${'b'.repeat(63)}`]) {
    const file = fileOf(`name: ${name}\nmeaning: A test.\ninitial: a\nstates: { a: { type: final } }`);
    expect(flowName.parse(file.name)).toBe(name);
  }
  expect(flowName.safeParse('1Desk').success).toBe(false);
});
