import { expect, test } from 'vitest';
import { titleOfCommand } from '../../../console/page/processes/bulk-verbs.ts';
import { bulkNames } from '../../../processes/commands/commands.ts';

test('each command that can be done to many has a title for its batches', () => {
  const without = bulkNames.filter((command) => titleOfCommand(command) === command);
  expect(without).toEqual([]);
});
