// What `npm start` prints last: nothing that a reader could not use.
import { expect, test } from 'vitest';
import { firstSteps } from '../../local/first-steps.ts';

const ports = { servicePort: 8080, temporalUiPort: 8233, wallPort: 8089 };
const printed = (...given: Parameters<typeof firstSteps> extends [unknown, ...infer Rest] ? Rest : never) =>
  firstSteps(ports, ...given).join('\n');

test('the demo tenant is shown in staging only, and never with the service of a vendor', () => {
  const ours = { serviceOnly: false, isOurs: true };
  expect(printed(ours, 'staging')).toContain('client demo, secret demo-secret');
  expect(printed(ours, 'staging')).toContain('try calls in a browser: http://127.0.0.1:8080/docs');
  expect(printed(ours, 'production')).not.toContain('demo');
  expect(printed({ serviceOnly: false, isOurs: false }, 'staging')).not.toContain('demo');
});

test('without Temporal there is no page of flows', () => {
  expect(printed({ serviceOnly: true, isOurs: true }, 'staging')).not.toContain('8233');
});
