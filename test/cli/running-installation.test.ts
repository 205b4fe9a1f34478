// `npx lockerflow` beside an installation that `npm start` runs: it reaches that one without variables.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installationFile, takeRunningInstallation } from '../../cli/running-installation.ts';
import { lockerSettings } from '../../local/api-settings.ts';
import { removeInstallationFile, writeInstallationFile } from '../../local/running-installation.ts';
import { readLocalSettings } from '../../local/settings.ts';
import { temporaryFolder } from '../support/set-up-process.ts';

const taken = (given: Record<string, string>): Record<string, string | undefined> => {
  const variables: Record<string, string | undefined> = { ...given };
  takeRunningInstallation(variables);
  return variables;
};

test('takes the ports and the credentials of the one that runs in the folder, as long as it runs', async () => {
  const home = await temporaryFolder();
  const settings = readLocalSettings({
    LOCKERFLOW_HOME: home,
    TEMPORAL_PORT: '17233',
    SERVICE_PORT: '18080',
    WALL_PORT: '18089',
  });
  await writeInstallationFile(settings, lockerSettings(settings));
  const own = { LOCKERFLOW_HOME: home };
  expect(taken(own)).toMatchObject({
    TEMPORAL_ADDRESS: '127.0.0.1:17233',
    LOCKER_API_URL: 'http://127.0.0.1:18080',
    LOCKER_CLIENT_ID: 'demo',
    WALL_URL: 'http://127.0.0.1:18089',
  });
  // Another Temporal, or another service, is meant: nothing is mixed.
  for (const other of [
    { TEMPORAL_ADDRESS: 'cloud:7233' },
    { LOCKER_API_URL: 'https://locker.example' },
    { LOCKER_AUTH_URL: 'https://login.example' },
    { LOCKER_CLIENT_ID: 'another' },
    { LOCKER_CLIENT_SECRET: 'of another' },
  ])
    expect(taken({ ...own, ...other })).toEqual({ ...own, ...other });
  await removeInstallationFile(settings);
  expect(taken(own)).toEqual(own);
});

test('finds the morning where nothing else runs in the folder', async () => {
  const folder = await temporaryFolder();
  const found = (variables: Record<string, string | undefined> = {}) => {
    takeRunningInstallation(variables, folder);
    return variables.TEMPORAL_ADDRESS;
  };
  expect(found()).toBeUndefined();
  for (const [home, TEMPORAL_PORT] of [
    ['.lockerflow/morning', '1'],
    ['.lockerflow', '2'],
  ] as const) {
    const settings = readLocalSettings({ LOCKERFLOW_HOME: join(folder, home), TEMPORAL_PORT });
    await writeInstallationFile(settings, lockerSettings(settings));
    expect(found()).toBe(`127.0.0.1:${TEMPORAL_PORT}`);
  }
});

test('takes nothing of one that has died, and of a file that is not one', async () => {
  const home = await temporaryFolder();
  const own = { LOCKERFLOW_HOME: home };
  for (const text of [
    JSON.stringify({ pid: 2 ** 30, variables: { TEMPORAL_ADDRESS: 'gone:1' } }),
    JSON.stringify({ pid: process.pid, variables: null }),
    '[',
    '{}',
  ]) {
    await writeFile(installationFile(home), text);
    expect(taken(own)).toEqual(own);
  }
  expect(taken({ LOCKERFLOW_HOME: join(home, 'nowhere') })).toEqual({
    LOCKERFLOW_HOME: join(home, 'nowhere'),
  });
});

test('takes no other variable from the file', async () => {
  const home = await temporaryFolder();
  const variables = { CONSOLE_URL: 'http://127.0.0.1:1', NODE_OPTIONS: '--inspect' };
  await writeFile(installationFile(home), JSON.stringify({ pid: process.pid, variables }));
  const { CONSOLE_URL } = variables;
  expect(taken({ LOCKERFLOW_HOME: home })).toEqual({ LOCKERFLOW_HOME: home, CONSOLE_URL });
});
