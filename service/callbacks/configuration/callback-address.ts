// Validates a callback URL when it is configured. The guarded agent checks the IP address again when it connects, because the
// host name may resolve differently by then.

import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { TimeLimit } from '../../../shared/limits/time-limit.ts';
import { ApiError } from '../../api-error.ts';
import { mayBePrivate, type PrivateHosts, refusalAmong } from './address-reach.ts';
import { addressesOf } from './resolve-host.ts';

// A slow name server must not delay the response: the guarded agent checks the address anyway.
const LOOKUP_MS = 2_000;

/** Throws InvalidRequest for a URL that callbacks must not be sent to. */
export async function requireCallbackAddress(url: string, privateHosts: PrivateHosts): Promise<void> {
  const target = new URL(url);
  const { protocol, username, password, hostname } = target;
  if (protocol !== 'http:' && protocol !== 'https:') throw refused('must be an http or https address');
  if (username !== '' || password !== '')
    throw refused('must have no user name and no password; authType says how callbacks are authenticated');
  // The URL parser has converted decimal, octal and hexadecimal forms.
  const host = hostname.replace(/^\[|\]$/g, '');
  const allowPrivate = mayBePrivate(privateHosts, target);
  const addresses = isIP(host)
    ? [{ address: host, family: isIP(host) }]
    : await resolvedOrNone(host, allowPrivate);
  const refusal = refusalAmong(addresses, allowPrivate);
  if (refusal === undefined) return;
  // A tenant must not learn the addresses of internal names.
  const why = isIP(host)
    ? refusal
    : `${host} has a metadata, link-local, reserved, loopback or private address`;
  throw refused(`${why}, and callbacks are not sent to such addresses`);
}

const refused = (why: string) => new ApiError('InvalidRequest', `url: ${why}`);

/** Empty if the name does not resolve now: it may exist when the first callback is sent. */
async function resolvedOrNone(host: string, usesSystemResolver: boolean): Promise<LookupAddress[]> {
  using limit = new TimeLimit(LOOKUP_MS);
  return await limit.race(addressesOf(host, usesSystemResolver)).catch(() => []);
}

/** Whether nobody on the network can read the API key: the callback uses TLS, or stays on this machine. */
export function keepsApiKeySecret(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
