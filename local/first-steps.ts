// The next steps for a person who has just started everything: a page to open, and credentials for calls.
import { LOOPBACK } from './ports.ts';
import type { LocalSettings } from './settings.ts';

export interface Started {
  readonly serviceOnly: boolean;
  /** False: the flows use a vendor's service, and its credentials are not ours to print. */
  readonly isOurs: boolean;
  /** Signs in to the console, once. */
  readonly link: string;
}

export function firstSteps(
  {
    servicePort,
    temporalUiPort,
    wallPort,
  }: Pick<LocalSettings, 'servicePort' | 'temporalUiPort' | 'wallPort'>,
  { serviceOnly, isOurs, link }: Started,
  mode = process.env.SERVICE_MODE || 'staging',
): string[] {
  const service = `http://${LOOPBACK}:${servicePort}`;
  const lines: string[] = [];
  if (!serviceOnly)
    lines.push(
      `the console, by a link that signs in once: ${link}`,
      `Temporal's own pages of the flows: http://${LOOPBACK}:${temporalUiPort}`,
    );
  if ((isOurs || serviceOnly) && mode === 'staging')
    lines.push(
      `stand before a wall and type codes: http://${LOOPBACK}:${wallPort}`,
      `call the service as the demo tenant: client demo, secret demo-secret, token ${service}/connect/token`,
      `try calls in a browser: ${service}/docs`,
    );
  if (!serviceOnly && isOurs && mode === 'staging')
    lines.push('write a client: npm run example plays a flow to its end (examples/first-flow/)');
  return lines;
}
