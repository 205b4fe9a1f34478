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

const oidc = {
  CONSOLE_OIDC_ISSUER: 'https://id.example',
  CONSOLE_OIDC_CLIENT_ID: 'console',
  CONSOLE_OIDC_GROUPS: 'desk=look,decide; CN=ops,OU=all=administer;',
};

test('an OpenID provider needs no file of users, and says what the people of each group may', () => {
  const { openId, usersPath } = readConsoleSettings(oidc);
  expect(usersPath).toBeUndefined();
  expect(openId).toMatchObject({
    issuer: 'https://id.example',
    groupsClaim: 'groups',
    clientSecret: undefined,
  });
  expect([...(openId?.groups ?? [])]).toEqual([
    ['desk', { roles: ['look', 'decide'], inboxes: [] }],
    ['CN=ops,OU=all', { roles: ['look', 'administer'], inboxes: [] }],
  ]);
});

test.each([
  [{ CONSOLE_OIDC_ISSUER: 'http://id.example' }, /CONSOLE_OIDC_ISSUER: must begin with https/],
  [
    { CONSOLE_OIDC_ISSUER: '', CONSOLE_USERS: '/users' },
    /CONSOLE_OIDC_ISSUER: is required with CONSOLE_OIDC_CLIENT_ID/,
  ],
  [{ CONSOLE_OIDC_CLIENT_ID: '' }, /CONSOLE_OIDC_CLIENT_ID: is required with CONSOLE_OIDC_ISSUER/],
  [{ CONSOLE_OIDC_GROUPS: '' }, /CONSOLE_OIDC_GROUPS: is required with CONSOLE_OIDC_ISSUER/],
  [{ CONSOLE_OIDC_GROUPS: 'desk' }, /CONSOLE_OIDC_GROUPS: must be <group>=<roles>.*"desk"/],
  [{ CONSOLE_OIDC_GROUPS: 'desk=rule' }, /CONSOLE_OIDC_GROUPS: of the group "desk": "rule" is not a role/],
  [{ CONSOLE_OIDC_GROUPS: 'desk=look;desk=decide' }, /has the group "desk" twice/],
  [{ CONSOLE_OIDC_SCOPE: 'profile' }, /CONSOLE_OIDC_SCOPE: must have the scope openid/],
  [{ CONSOLE_HOST: '0.0.0.0' }, /CONSOLE_URL: is required with CONSOLE_OIDC_ISSUER/],
])('%j is refused beside the settings of a provider', (changed, message) => {
  expect(() => readConsoleSettings({ ...oidc, ...changed })).toThrow(message);
});
