// The link from Temporal's Web UI to the console: whatever the business key is, it leads to that process and to nothing else.
import type { Client } from '@temporalio/client';
import { expect, test } from 'vitest';
import { LockerFlows } from '../../client/locker-flows.ts';
import { consoleLink } from '../../client/sign-in-links.ts';

test.each([
  ['https://console.example', 'order-1042', 'https://console.example/process/order-1042'],
  ['https://console.example/', 'a/b?c#d', 'https://console.example/process/a%2Fb%3Fc%23d'],
  ['http://127.0.0.1:8088', '](js:x) (y)', 'http://127.0.0.1:8088/process/%5D%28js%3Ax%29%20%28y%29'],
])('%s with the key %s', (consoleUrl, key, address) => {
  expect(consoleLink(consoleUrl, key)).toBe(`[This process in the console](${address})`);
});

const wrong = [
  'console.example',
  'javascript:alert(1)',
  'https://a:b@console.example',
  'https://a.example/?x',
];

test.each(wrong)('%s is not an address of a console, and the programmer hears it at once', (consoleUrl) => {
  const made = () => new LockerFlows({} as Client, { consoleUrl });
  expect(made).toThrow(/consoleUrl must be an http or https address/);
});
