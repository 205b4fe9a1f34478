// `npm start`, less its set-up, as tests start it.
import { startLocal } from '../support/processes/local-program.ts';
import { temporaryFolder } from '../support/set-up-process.ts';

export const PORTS = [
  'POSTGRES_PORT',
  'SERVICE_PORT',
  'TEMPORAL_PORT',
  'TEMPORAL_UI_PORT',
  'CALLBACK_PORT',
  'WORKER_PORT',
  'WALL_PORT',
  'CONSOLE_PORT',
] as const;

export const start = async (env: Readonly<Record<string, string>>, ...options: string[]) =>
  startLocal('start.ts', { LOCKERFLOW_HOME: await temporaryFolder(), ...env }, options);
