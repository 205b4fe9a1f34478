// Token requests as raw as a test wants them.
import { TOKEN_PATH } from '../../../contract/index.ts';
import { post, type Reply } from '../../support/caller.ts';

export const FORM = 'application/x-www-form-urlencoded';

export const grant = {
  grant_type: 'client_credentials',
  scope: 'integration_api',
  client_id: 'demo',
  client_secret: 'demo-secret',
};

export const tokenRequest = (
  address: string,
  form: Readonly<Record<string, string>> | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> =>
  post(address + TOKEN_PATH, typeof form === 'string' ? form : new URLSearchParams(form).toString(), {
    'content-type': FORM,
    ...headers,
  });

export const basic = (clientId: string, clientSecret: string) => ({
  authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
});

export function without(...names: readonly (keyof typeof grant)[]): Record<string, string> {
  return Object.fromEntries(Object.entries(grant).filter(([name]) => !names.some((left) => left === name)));
}
