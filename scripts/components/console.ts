// The web console as a component of the local installation. Its link signs one person in, once: the person who ran npm start.
import { randomBytes } from 'node:crypto';
import type { LockerSettings } from '../locker-settings.ts';
import { LOOPBACK } from '../ports.ts';
import type { LocalSettings } from '../settings.ts';
import type { Component } from './components.ts';
import { processComponent } from './process.ts';

const SECRET_BYTES = 32;

export interface ConsoleComponent {
  readonly component: Component;
  readonly address: string;
  /** The address that signs in once. */
  readonly link: string;
}

export function consoleComponent(settings: LocalSettings, locker: LockerSettings): ConsoleComponent {
  const { home, consolePort, temporalPort, temporalUiPort } = settings;
  const address = `http://${LOOPBACK}:${consolePort}`;
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const component = processComponent({
    name: 'Console',
    home,
    ports: { CONSOLE_PORT: consolePort },
    entry: 'console/main.ts',
    address,
    env: () => ({
      ...locker.env,
      TEMPORAL_ADDRESS: `${LOOPBACK}:${temporalPort}`,
      LOCKERFLOW_HOME: home,
      CONSOLE_HOST: process.env.CONSOLE_HOST || LOOPBACK,
      CONSOLE_PORT: String(consolePort),
      CONSOLE_LINK_SECRET: secret,
      // Programs call the API of processes with tokens of the service that runs here.
      ...(locker.isOurs && {
        API_ISSUER: process.env.API_ISSUER || process.env.SERVICE_URL || locker.env.LOCKER_API_URL,
        API_TENANT: process.env.API_TENANT || 'demo',
      }),
      CONSOLE_TEMPORAL_UI_URL: process.env.CONSOLE_TEMPORAL_UI_URL || `http://${LOOPBACK}:${temporalUiPort}`,
    }),
  });
  // Behind the #, which no server and no log gets.
  return { component, address, link: `${address}/#sign-in=${secret}` };
}
