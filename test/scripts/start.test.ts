// What `npm start` says before it starts anything. What it starts is in smoke/start.test.ts.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { flowFolderOf } from '../../local/components/orchestrator.ts';
import { freePorts, portInUse } from '../support/processes/local-program.ts';
import { temporaryFolder } from '../support/set-up-process.ts';
import { PORTS, start } from './npm-start.ts';

test('--help is printed, and nothing is started', async () => {
  const home = await temporaryFolder();
  const program = fileURLToPath(new URL('../../scripts/start.ts', import.meta.url));
  const options = { env: { ...process.env, LOCKERFLOW_HOME: join(home, 'none') } };
  const { stdout } = await promisify(execFile)(process.execPath, [program, '--help'], options);
  expect(stdout).toMatch(/--no-demo[\s\S]*--service-only[\s\S]*SERVICE_PORT/);
  expect(existsSync(join(home, 'none'))).toBe(false);
});

test('a port in use is reported in one line', async () => {
  const port = await portInUse();
  const { exitCode, said } = await start({ ...(await freePorts(PORTS)), TEMPORAL_PORT: `${port}` });
  expect(await exitCode).toBe(1);
  expect(said()).toBe(
    `lockerflow: Port ${port} is in use: end the program that uses it, or set TEMPORAL_PORT to another\n`,
  );
});

test('every wrong setting is named at once', async () => {
  const { exitCode, said } = await start({ TEMPORAL_PORT: 'http', TEMPORAL_UI_PORT: '70000' });
  expect(await exitCode).toBe(1);
  expect(said().split('\n')).toEqual([
    'lockerflow: These settings are wrong:',
    '  TEMPORAL_PORT: must be a whole number from 1 to 65535; it is "http"',
    '  TEMPORAL_UI_PORT: must be a whole number from 1 to 65535; it is "70000"',
    '',
  ]);
});

test('the worker publishes the examples, but not beside a folder or a connectors file of your own', () => {
  expect(flowFolderOf({})).toMatch(/examples\/flow-files$/);
  expect(flowFolderOf({ LOCKERFLOW_FLOWS: 'flows' })).toBe('flows');
  expect(flowFolderOf({ LOCKERFLOW_FLOWS: '' })).toBe('');
  // Some examples need the connector servicenow.
  expect(flowFolderOf({ LOCKERFLOW_CONNECTORS: 'connectors.yaml' })).toBe('');
  const both = { LOCKERFLOW_CONNECTORS: 'connectors.yaml', LOCKERFLOW_FLOWS: 'flows' };
  expect(flowFolderOf(both)).toBe('flows');
});
