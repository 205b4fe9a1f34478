// Uploaded files are read one at a time: a tenant that sends many of them holds no other up by more than one.
import { expect, test } from 'vitest';
import { SuggestionFileReader } from '../../../../service/accounts/suggestions/suggestion-file-reader.ts';
import { limits } from './limits.ts';
import { csv } from './upload.ts';

const content = new TextEncoder().encode(csv('a@example.com;;;;;;'));
const [eager, second, third] = [1, 2, 3];

test('tenants take turns, whatever one of them has sent before', { timeout: 300_000 }, async () => {
  const reader = new SuggestionFileReader(limits);
  const order: number[] = [];
  const reads = [eager, eager, eager, second, third, second].map(async (tenantId) => {
    await reader.read(tenantId, content, []);
    order.push(tenantId);
  });
  await Promise.all(reads);
  expect(order).toEqual([eager, second, third, eager, second, eager]);
  await reader.close();
});

test('a reader that is closed lets nobody wait', { timeout: 300_000 }, async () => {
  const reader = new SuggestionFileReader(limits);
  const reads = [eager, eager, second].map((tenantId) => reader.read(tenantId, content, []));
  const outcomes = Promise.allSettled(reads);
  await reader.close();
  for (const { status } of await outcomes) expect(status).toBe('rejected');
  await expect(reader.read(eager, content, [])).rejects.toThrow('closed');
});
