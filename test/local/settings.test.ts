// The settings of a local installation.
import { expect, test } from 'vitest';
import { readLocalSettings } from '../../local/settings.ts';

test('an empty variable is as good as none', () => {
  const settings = readLocalSettings({ DATABASE_URL: '', SERVICE_PORT: '', LOCKERFLOW_HOME: '' });
  expect(settings).toEqual(readLocalSettings({}));
  expect(settings).toMatchObject({ databaseUrl: undefined, servicePort: 8080 });
});
