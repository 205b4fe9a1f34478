// The settings of the console: who could sign in, and what is refused.
import { expect, test } from 'vitest';
import { readConsoleSettings } from '../../console/settings.ts';

const link = { CONSOLE_LINK_SECRET: 'x'.repeat(43) };

test('a console into which nobody could sign in does not start, and says what to do', () => {
  expect(() => readConsoleSettings({})).toThrow(
    /CONSOLE_USERS: is required: the file of .* user <name> <roles>/,
  );
  expect(readConsoleSettings(link).port).toBe(8088);
  expect(readConsoleSettings({ CONSOLE_USERS: '/users' }).usersPath).toBe('/users');
});

test('a header is believed from named proxies only', () => {
  const header = { CONSOLE_USERS: '/users', CONSOLE_PROXY_HEADER: 'X-User' };
  expect(() => readConsoleSettings(header)).toThrow(
    /CONSOLE_TRUSTED_PROXIES: is required with CONSOLE_PROXY_HEADER/,
  );
  expect(() => readConsoleSettings({ ...header, CONSOLE_TRUSTED_PROXIES: 'proxy, ::1, host' })).toThrow(
    /wrong:\n {2}CONSOLE_TRUSTED_PROXIES: must be addresses .*; it is "proxy, ::1, host"$/,
  );
  expect(() => readConsoleSettings({ CONSOLE_USERS: '/users', CONSOLE_TRUSTED_PROXIES: '::1' })).toThrow(
    /CONSOLE_PROXY_HEADER: is required with CONSOLE_TRUSTED_PROXIES/,
  );
  expect(readConsoleSettings({ ...header, CONSOLE_TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).proxy).toEqual({
    header: 'x-user',
    addresses: ['10.0.0.0/8', '::1'],
  });
  expect(() => readConsoleSettings({ ...header, CONSOLE_USERS: '', CONSOLE_TRUSTED_PROXIES: '::1' })).toThrow(
    /CONSOLE_USERS/,
  );
});

test('one error names every wrong setting, also a missing one', () => {
  const wrong = {
    CONSOLE_PORT: 'eighty',
    CONSOLE_URL: 'console.example',
    CONSOLE_SESSION_HOURS: '0',
  };
  expect(() => readConsoleSettings(wrong)).toThrow(
    /CONSOLE_PORT.*"eighty"[\s\S]*CONSOLE_URL[\s\S]*CONSOLE_SESSION_HOURS[\s\S]*CONSOLE_USERS/,
  );
});
