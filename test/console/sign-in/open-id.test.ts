// Signing in by a real OpenID provider: who comes in, with which rights, and what of the provider's answer is refused.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OpenId, type OpenIdSettings, ownPath } from '../../../console/sign-in/open-id.ts';
import { Sessions } from '../../../console/sign-in/sessions.ts';
import { cookieNamesAt } from '../../../console/sign-in/sign-in.ts';
import type { MeView } from '../../../console/sign-in/sign-in-view.ts';
import type { TestConsole } from '../console-world.ts';
import {
  CLIENT,
  type OpenIdProvider,
  RedirectedBrowser,
  startConsoleWithProvider,
} from './open-id-provider.ts';

let provider: OpenIdProvider;
let tested: TestConsole;
let both: Awaited<ReturnType<typeof startConsoleWithProvider>>;

beforeAll(async () => {
  both = await startConsoleWithProvider();
  ({ provider, tested } = both);
});
afterAll(() => both?.[Symbol.asyncDispose]());
beforeEach(() => {
  Object.assign(provider, { forge: undefined, usesForeignKey: false, person: anna });
});

const anna = { sub: 'u-1', preferred_username: 'anna.b', groups: ['desk', 'everybody'] };
const sessionCookie = () => cookieNamesAt(new URL(tested.address).host, false).session;
const start = (to = '/') => `${tested.address}/api/sign-in/provider?${new URLSearchParams({ to })}`;
const isCallback = (url: string) => url.includes('/api/sign-in/provider/callback');

const meOf = async (browser: RedirectedBrowser): Promise<MeView> =>
  (await (await browser.ask(`${tested.address}/api/me`)).json()) as MeView;

async function signedIn(to?: string) {
  const browser = new RedirectedBrowser();
  await browser.go(start(to));
  return { browser, me: await meOf(browser) };
}

/** By the provider itself; the console of this file has the name in another claim. */
const byEmail = () =>
  new OpenId(
    {
      issuer: provider.issuer,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      scope: 'openid profile email',
      nameClaim: 'email',
      groupsClaim: 'groups',
      groups: new Map([['desk', { roles: ['look'], inboxes: [] }]]),
    },
    tested.address,
  );

describe('a person with a group of the settings', () => {
  test('signs in with the roles of the group, and comes to the page that was wanted', async () => {
    const { browser, me } = await signedIn('/processes?flow=Issue');
    expect(me.user).toEqual({ name: 'anna.b', roles: ['look', 'decide'], inboxes: [] });
    expect(browser.visited.at(-1)).toBe(`${tested.address}/processes?flow=Issue`);
    expect(me).toMatchObject({ provider: new URL(provider.issuer).host, refused: null });
    const asked = provider.asked.at(-1);
    expect(asked?.get('code_challenge_method')).toBe('S256');
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked?.get(name)).toMatch(/^[\w-]{43}$/);
    // What bound the sign-in to the browser has served.
    expect([...browser.cookies(tested.address).keys()]).toEqual([sessionCookie()]);
  });

  test('may answer in an inbox without the role decide, and do nothing else', async () => {
    provider.person = { ...anna, groups: ['CN=claims,OU=people'] };
    const { browser, me } = await signedIn();
    expect(me.user).toEqual({ name: 'anna.b', roles: ['look'], inboxes: ['claims, all'] });
    const post = async (path: string) =>
      (
        await browser.ask(`${tested.address}${path}`, {
          method: 'POST',
          body: '[',
          headers: { 'content-type': 'application/json', origin: tested.address },
        })
      ).status;
    // Its body is wrong: who may not do it does not learn that.
    expect(await post('/v1/processes/order-1/commands/claim')).toBe(400);
    expect(await post('/v1/processes/order-1/commands/cancel')).toBe(403);
  });

  test('signs out here and, where the browser goes next, of the provider', async () => {
    const { browser } = await signedIn();
    const [, cookie = ''] = [...browser.cookies(tested.address)][0] ?? [];
    const answer = await browser.ask(`${tested.address}/api/sign-out`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json', origin: tested.address },
    });
    const { to } = (await answer.json()) as { to: string };
    expect(to).toContain(`${provider.issuer}/session/end?`);
    expect((await browser.ask(to)).status).toBe(200);
    browser.cookies(tested.address).set(sessionCookie(), cookie);
    expect((await meOf(browser)).user).toBeNull();
  });
});

describe('refused, and the page says why', () => {
  const refusedAs = async (browser: RedirectedBrowser) => (await meOf(browser)).refused;

  test('a person without a group of the settings', async () => {
    for (const groups of [['everybody'], undefined, 'desk ', []]) {
      provider.person = { ...anna, groups };
      const { me, browser } = await signedIn();
      expect(me).toMatchObject({
        user: null,
        refused: {
          error: 'NoGroup',
          message: expect.stringMatching(/^anna\.b has no group .*CONSOLE_OIDC_GROUPS/),
        },
      });
      expect(browser.visited.at(-1)).toBe(`${tested.address}/`);
    }
  });

  test.each([undefined, '', 'an:na', 17])('a person without a name that can be used: %j', async (name) => {
    provider.person = { ...anna, preferred_username: name };
    expect((await signedIn()).me).toMatchObject({ user: null, refused: { error: 'SignInWithoutName' } });
  });

  test('a person who refuses at the provider', async () => {
    provider.person = null;
    expect((await signedIn()).me).toMatchObject({
      user: null,
      refused: { error: 'SignInDenied', message: expect.stringContaining('access_denied') },
    });
  });

  const second = () => Math.floor(Date.now() / 1_000);
  test.each([
    ['another issuer', { iss: 'https://evil.example' }, /iss of its token/],
    ['another audience', { aud: 'another-client' }, /aud of its token/],
    ['one more audience', { aud: [CLIENT.id, 'another-client'] }, /aud of its token|azp/],
    ['an expired token', { exp: second() - 60, iat: second() - 120 }, /has expired/],
    ['another nonce', { nonce: 'of-another-sign-in' }, /nonce of its token/],
  ])('%s', async (_what, changed, message) => {
    provider.forge = (claims) => ({ ...claims, ...changed });
    const { me } = await signedIn();
    expect(me.user).toBeNull();
    expect(me.refused).toMatchObject({ error: 'SignInNotValid', message: expect.stringMatching(message) });
  });

  test('a token that another key has signed', async () => {
    provider.usesForeignKey = true;
    expect((await signedIn()).me).toMatchObject({ user: null, refused: { error: 'SignInNotValid' } });
  });

  test('an answer that is used a second time, also by the browser that began', async () => {
    const browser = new RedirectedBrowser();
    const callback = String(await browser.go(start(), isCallback));
    const cookies = new Map(browser.cookies(tested.address));
    await browser.go(callback);
    expect((await meOf(browser)).user?.name).toBe('anna.b');
    const again = new RedirectedBrowser();
    for (const [name, value] of cookies) again.cookies(tested.address).set(name, value);
    await again.go(callback);
    expect((await meOf(again)).user).toBeNull();
    expect(await refusedAs(again)).toMatchObject({ error: 'SignInNotBegun' });
  });

  test('nobody because strangers begin again and again', async () => {
    const openId = byEmail();
    const person = { ...anna, email: 'anna@example.com', email_verified: true };
    provider.person = person;
    const { url, secret } = await openId.begin('/');
    for (let count = 0; count < 10_001; count++) await openId.begin('/');
    // After them: the provider's answer is good for a minute.
    const callback = new URL(String(await new RedirectedBrowser().go(url, isCallback)));
    expect((await openId.end(callback.search.slice(1), [secret])).name).toBe(person.email);
  });

  test('an answer in another browser, with its own sign-in or without one', async () => {
    for (const begins of [true, false]) {
      const attacker = new RedirectedBrowser();
      const callback = String(await attacker.go(start(), isCallback));
      const victim = new RedirectedBrowser();
      if (begins) await victim.go(start(), isCallback);
      await victim.go(callback);
      expect((await meOf(victim)).user).toBeNull();
      expect(await refusedAs(victim)).toMatchObject({ error: 'SignInNotBegun' });
    }
  });

  test('an answer with a changed state, or without one', async () => {
    for (const change of [
      (url: URL) => url.searchParams.set('state', 'x'),
      (url: URL) => url.searchParams.delete('state'),
    ]) {
      const browser = new RedirectedBrowser();
      const callback = new URL(String(await browser.go(start(), isCallback)));
      change(callback);
      await browser.go(callback.href);
      expect((await meOf(browser)).user).toBeNull();
      expect(await refusedAs(browser)).toMatchObject({ error: 'SignInNotBegun' });
    }
  });
});

test('a name of this machine other than the one that the provider knows leads there first', async () => {
  const browser = new RedirectedBrowser();
  const other = start('/walls').replace('127.0.0.1', 'localhost');
  const { url } = (await browser.go(other)) as Response;
  expect(url).toBe(`${tested.address}/walls`);
  expect((await meOf(browser)).user?.name).toBe('anna.b');
});

test.each([
  ['/processes?state=closed', '/processes?state=closed'],
  [undefined, '/'],
  ['https://evil.example/', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['/.//evil.example', '/'],
  ['/a/..//evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['http://console.invalid:80//evil.example', '/'],
  ['/api/sign-in/provider', '/'],
  ['http://[', '/'],
  // It would not fit into a cookie.
  [`/processes?text=${'x'.repeat(2_000)}`, '/'],
])('after the sign-in %j leads to %s', (to, expected) => {
  expect(ownPath(to)).toBe(expected);
});

describe('with the email address as the name', () => {
  async function nameOf(person: object, inToken: object = {}): Promise<string> {
    provider.person = { ...anna, ...person };
    provider.forge = (claims) => ({ ...claims, ...inToken });
    const openId = byEmail();
    const { url, secret } = await openId.begin('/');
    const callback = new URL(String(await new RedirectedBrowser().go(url, isCallback)));
    return (await openId.end(callback.search.slice(1), [secret])).name;
  }

  const email = 'anna@example.com';

  test('an address that the provider has verified is taken', async () => {
    expect(await nameOf({ email, email_verified: true })).toBe(email);
    expect(await nameOf({ email, email_verified: 'true' })).toBe(email);
    expect(await nameOf({ email_verified: true }, { email, groups: ['desk'] })).toBe(email);
  });

  test.each<[string, object, object?]>([
    ['false', { email, email_verified: false }],
    ['false as a text', { email, email_verified: 'false' }],
    ['nothing', { email }],
    ['false in the user information alone', { email_verified: false }, { email, groups: ['desk'] }],
  ])('an address of which it says %s is refused', async (_what, person, inToken) => {
    await expect(nameOf(person, inToken)).rejects.toMatchObject({
      error: 'SignInWithoutName',
      message: expect.stringContaining('email_verified'),
    });
  });
});

describe('without the provider', () => {
  const desk = { roles: ['look'] as const, inboxes: [] };
  const settings: OpenIdSettings = {
    issuer: 'http://127.0.0.1:1',
    clientId: 'console',
    clientSecret: undefined,
    scope: 'openid',
    nameClaim: 'preferred_username',
    groupsClaim: 'groups',
    groups: new Map([['desk', desk]]),
  };
  const openId = new OpenId(settings, 'http://127.0.0.1:8088');

  test('a sign-in is refused while it is away, and signing out ends here', async () => {
    await expect(openId.begin('/')).rejects.toMatchObject({ status: 503, error: 'ProviderSilent' });
    expect(await openId.signOutUrl()).toBeUndefined();
  });

  test('a session has the rights that the settings give its groups now, those of this provider alone', () => {
    const { issuer } = settings;
    expect(openId.rightsOf({ issuer, groups: ['desk', 'gone'] })).toEqual([desk]);
    expect(openId.rightsOf({ issuer, groups: ['gone'] })).toBeUndefined();
    expect(openId.rightsOf({ issuer: 'https://former.example', groups: ['desk'] })).toBeUndefined();
  });

  test('a session ends after its time', () => {
    const sessions = new Sessions({ file: undefined, lastMs: 1_000, link: undefined });
    const secret = sessions.begin('anna', { provider: { issuer: settings.issuer, groups: ['desk'] } }, 0);
    expect(sessions.find(secret, 999)?.provider?.groups).toEqual(['desk']);
    expect(sessions.find(secret, 1_000)).toBeUndefined();
  });
});
