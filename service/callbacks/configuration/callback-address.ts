// Checks a callback address when it is configured. The guarded agent checks each address again when it connects: the
// name may have another address by then.
import { promises as dns, type LookupAddress, lookup } from 'node:dns';
import { isIP } from 'node:net';
import { TimeLimit } from '../../../shared/limits/time-limit.ts';
import { Refusal } from '../../refusal.ts';
import { mayBePrivate, type PrivateHosts, refusalAmong } from './address-reach.ts';

// A slow name server must not delay the answer: the guarded agent checks the address in any case.
const LOOKUP_MS = 2_000;

/** Throws InvalidRequest for an address that callbacks are never sent to. */
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
    : await addressesNow(host, allowPrivate);
  const refusal = refusalAmong(addresses, allowPrivate);
  if (refusal === undefined) return;
  // A tenant must not learn the addresses of internal names.
  const why = isIP(host)
    ? refusal
    : `${host} has a metadata, link-local, reserved, loopback or private address`;
  throw refused(`${why}, and callbacks are not sent to such addresses`);
}

const refused = (why: string) => new Refusal('InvalidRequest', `url: ${why}`);

/** None if the name does not resolve now: it may exist at the time of the first callback. */
async function addressesNow(host: string, bySystem: boolean): Promise<LookupAddress[]> {
  using limit = new TimeLimit(LOOKUP_MS);
  return await limit.race(addressesOf(host, bySystem)).catch(() => []);
}

/** Whether nobody on the way can read the callback: it uses TLS or does not leave the machine. */
export function keepsApiKeySecret(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

const TRY_MS = 2_000;
const TRIES = 2;

/**
 * The system's resolver has two threads for the whole process, and a name whose server does not answer holds one for 10 s or longer: a
 * tenant could keep the callbacks of all others from being sent. So only what an operator has named, and staging, goes to the system;
 * everything else is asked of the name servers without a thread. Throws what they say, where they give no address.
 */
async function addressesOf(host: string, bySystem: boolean): Promise<LookupAddress[]> {
  if (bySystem) return await dns.lookup(host, { all: true });
  // RFC 6761 section 6.3. Other names of the hosts file mean nothing to a tenant.
  if (/(?:^|\.)localhost\.?$/.test(host)) return [{ address: '127.0.0.1', family: 4 }];
  // A new one each time knows the name servers of now.
  const resolver = new dns.Resolver({ timeout: TRY_MS, tries: TRIES });
  const asked = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = asked.flatMap((each, index) =>
    each.status === 'fulfilled'
      ? each.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
      : [],
  );
  const [first] = asked;
  if (found.length === 0 && first.status === 'rejected') throw first.reason;
  return found;
}

/** The same for a connection. */
export const lookupOf = (bySystem: boolean): typeof lookup =>
  bySystem
    ? lookup
    : (((
        host: string,
        _options: unknown,
        callback: (error: Error | null, found: LookupAddress[]) => void,
      ) => {
        addressesOf(host, false).then(
          (found) => callback(null, found),
          (error: Error) => callback(error, []),
        );
      }) as typeof lookup);
