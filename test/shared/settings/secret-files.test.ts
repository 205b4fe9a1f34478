// Secrets given as files take the place of the settings themselves, whichever process reads them.
import { expect, it } from 'vitest';
import { takeSecretsFromFiles } from '../../../shared/settings/secret-files.ts';

const files: Readonly<Record<string, string>> = {
  '/run/secrets/client': 'demo-secret\n',
  '/run/secrets/keys': 'new old\r\n',
};

function read(path: string): string {
  const content = files[path];
  if (content === undefined) throw new Error(`ENOENT: no such file or directory, open '${path}'`);
  return content;
}

it('the content of the file, without its line end, is the value', () => {
  const variables = {
    LOCKER_CLIENT_SECRET_FILE: '/run/secrets/client',
    LOCKER_CALLBACK_KEY_FILE: '/run/secrets/keys',
    DATABASE_URL_FILE: '',
    PATH: '/bin',
  };
  takeSecretsFromFiles(variables, read);
  expect(variables).toEqual({
    LOCKER_CLIENT_SECRET: 'demo-secret',
    LOCKER_CALLBACK_KEY: 'new old',
    DATABASE_URL_FILE: '',
    PATH: '/bin',
  });
});

it('one error names every file that is wrong, and no secret', () => {
  const variables = {
    DATABASE_URL_FILE: '/run/secrets/nowhere',
    LOCKER_CLIENT_SECRET: 'never-shown',
    LOCKER_CLIENT_SECRET_FILE: '/run/secrets/client',
  };
  const failure = () => takeSecretsFromFiles(variables, read);
  expect(failure).toThrow('DATABASE_URL_FILE cannot be read (ENOENT');
  expect(failure).toThrow('LOCKER_CLIENT_SECRET and LOCKER_CLIENT_SECRET_FILE are both set');
  expect(failure).not.toThrow(/never-shown|demo-secret/);
});
