// The next steps for a person who has just started everything: a page to open, and credentials for calls.
import { LOOPBACK } from '../local/ports.ts';
import type { LocalSettings } from '../local/settings.ts';

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
    consolePort,
  }: Pick<LocalSettings, 'servicePort' | 'temporalUiPort' | 'wallPort' | 'consolePort'>,
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
    lines.push(
      `start a loan over HTTP, and wait for its end (somebody must be at the wall): ${curlLine(service, `http://${LOOPBACK}:${consolePort}`)}`,
      `the API of processes, to call in a browser once you are signed in: http://${LOOPBACK}:${consolePort}/docs`,
    );
  if (!serviceOnly && isOurs && mode === 'staging')
    lines.push('write a client: npm run example plays a flow to its end (docs/examples/first-flow/)');
  return lines;
}

/** One line: a token of the demo tenant's client, and with it a process that is waited for. */
function curlLine(service: string, console: string): string {
  const token = `curl -s -u demo-flows:demo-flows-secret -d grant_type=client_credentials ${service}/connect/token | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'`;
  const loan = {
    flow: 'Issue',
    key: 'loan-1',
    request: {
      pupUid: 'pup-central',
      toUserUid: 'user-anna',
      dimension: { width: 20, height: 5, length: 30 },
      allowLargerLockers: true,
      allowOverflowLockers: true,
    },
  };
  return `curl -s ${console}/v1/processes -H "Authorization: Bearer $(${token})" -H 'Content-Type: application/json' -H 'Prefer: wait=60' -d '${JSON.stringify(loan)}'`;
}
