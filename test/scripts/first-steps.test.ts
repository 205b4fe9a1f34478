// What `npm start` prints last: nothing that a reader could not use.
import { expect, test } from 'vitest';
import { firstSteps } from '../../scripts/first-steps.ts';

const ports = { servicePort: 8080, temporalUiPort: 8233, wallPort: 8089, consolePort: 8088 };
const link = 'http://127.0.0.1:8088/#sign-in=secret';
const printed = (...given: Parameters<typeof firstSteps> extends [unknown, ...infer Rest] ? Rest : never) =>
  firstSteps(ports, ...given).join('\n');

test('the demo tenant is shown in staging only, and never with the service of a vendor', () => {
  const ours = { serviceOnly: false, isOurs: true, link };
  expect(printed(ours, 'staging')).toContain('client demo, secret demo-secret');
  expect(printed(ours, 'staging')).toContain('try calls in a browser: http://127.0.0.1:8080/docs');
  expect(printed(ours, 'staging')).toContain(
    'http://127.0.0.1:8088/v1/processes -H "Authorization: Bearer $(curl',
  );
  expect(printed(ours, 'production')).not.toContain('demo');
  expect(printed({ serviceOnly: false, isOurs: false, link }, 'staging')).not.toContain('demo');
});

test('without Temporal there is no console and no page of flows', () => {
  const alone = printed({ serviceOnly: true, isOurs: true, link }, 'staging');
  expect(alone).not.toContain('8233');
  expect(alone).not.toContain(link);
});

test('the first line is the console, with a link that signs in', () => {
  const [first] = printed({ serviceOnly: false, isOurs: false, link }, 'production').split('\n');
  expect(first).toContain(link);
});
