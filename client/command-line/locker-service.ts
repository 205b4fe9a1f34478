// The locker service, for the verbs that talk to it as well as to Temporal. Without settings it is the one of `npm start`.
import { LockerApi, LockerApiError } from '../../activities/api/index.ts';
import { CommandFailed, wrongUse } from '../../runtime/terminal/exit-codes.ts';
import type { Terminal } from '../../runtime/terminal/terminal.ts';

const REQUIRED = ['LOCKER_API_URL', 'LOCKER_AUTH_URL', 'LOCKER_CLIENT_ID', 'LOCKER_CLIENT_SECRET'] as const;
// A person waits for the answer.
const TIMEOUT_MS = 10_000;

/** For the help of such a verb. */
export const SERVICE_SETTINGS = `
The locker service is named by the worker's settings: ${REQUIRED.join(', ')}.
Without any of them it is the service of npm start on this machine, as the demo tenant.`;

export async function atLockerService<Outcome>(
  { variables }: Pick<Terminal, 'variables'>,
  use: (api: LockerApi) => Promise<Outcome>,
): Promise<Outcome> {
  await using api = lockerServiceOf(variables);
  try {
    return await use(api);
  } catch (error) {
    if (error instanceof LockerApiError) throw inWords(error);
    throw error;
  }
}

/** To be closed by the caller. Throws CommandFailed (wrong use) for incomplete settings. */
export const lockerServiceOf = (variables: Terminal['variables']): LockerApi =>
  new LockerApi({ ...options(variables), timeoutMs: TIMEOUT_MS });

function options(variables: Terminal['variables']): ConstructorParameters<typeof LockerApi>[0] {
  if (REQUIRED.every((name) => !variables[name])) {
    const url = `http://127.0.0.1:${variables.SERVICE_PORT || '8080'}`;
    return { apiUrl: url, authUrl: url, clientId: 'demo', clientSecret: 'demo-secret' };
  }
  // With incomplete settings, the demo tenant's secret must not go to another service.
  const missing = REQUIRED.filter((name) => !variables[name]);
  if (missing.length > 0)
    throw wrongUse(
      `${missing.join(', ')} not set; expected all of ${REQUIRED.join(', ')}, or none of them for the service of npm start`,
    );
  const [apiUrl, authUrl, clientId, clientSecret] = REQUIRED.map((name) => variables[name] ?? '') as [
    string,
    string,
    string,
    string,
  ];
  return { apiUrl, authUrl, clientId, clientSecret };
}

const UNREACHABLE: ReadonlySet<string> = new Set(['Unreachable', 'ConnectionLost', 'TimedOut']);
// A service answers UnknownOperation if it does not have the operation.
const NOT_OFFERED: ReadonlySet<string> = new Set(['NotAvailable', 'UnknownOperation']);

function inWords(cause: LockerApiError): CommandFailed {
  if (UNREACHABLE.has(cause.code))
    return new CommandFailed(
      'unreachable',
      `the locker service cannot be reached (${cause.message}); check LOCKER_API_URL, or run npm start`,
      { cause },
    );
  if (cause.code === 'TokenRefused')
    return new CommandFailed(
      'failed',
      `the token service does not accept the credentials (${cause.message}); check LOCKER_CLIENT_ID and LOCKER_CLIENT_SECRET`,
      { cause },
    );
  if (NOT_OFFERED.has(cause.code))
    return new CommandFailed(
      'failed',
      `this service does not offer ${cause.operation}; sandbox and clock need a service in staging (SERVICE_MODE=staging)`,
      { cause },
    );
  return new CommandFailed('failed', cause.message, { cause });
}
