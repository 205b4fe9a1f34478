import { promises as dns, type LookupAddress, lookup } from 'node:dns';

const ATTEMPT_MS = 2_000;
const ATTEMPTS = 2;

/**
 * The system's resolver has two threads for the whole process, and a name server that does not answer blocks one for 10 s or
 * more: a tenant could block the callbacks of all others. So only hosts that an operator has allowed, and staging, use it;
 * other names are resolved by DNS queries, without a thread. Throws the DNS error if there is no address.
 */
export async function addressesOf(host: string, usesSystemResolver: boolean): Promise<LookupAddress[]> {
  if (usesSystemResolver) return await dns.lookup(host, { all: true });
  // RFC 6761 section 6.3. Other names in the hosts file are not for tenants.
  if (/(?:^|\.)localhost\.?$/.test(host)) return [{ address: '127.0.0.1', family: 4 }];
  // A new resolver reads the current name servers.
  const resolver = new dns.Resolver({ timeout: ATTEMPT_MS, tries: ATTEMPTS });
  const lookups = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = lookups.flatMap((each, index) =>
    each.status === 'fulfilled'
      ? each.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
      : [],
  );
  const [first] = lookups;
  if (addresses.length === 0 && first.status === 'rejected') throw first.reason;
  return addresses;
}

/** `addressesOf` as the lookup function of a connection. */
export const lookupOf = (usesSystemResolver: boolean): typeof lookup =>
  usesSystemResolver
    ? lookup
    : (((
        host: string,
        _options: unknown,
        callback: (error: Error | null, results: LookupAddress[]) => void,
      ) => {
        addressesOf(host, false).then(
          (results) => callback(null, results),
          (error: Error) => callback(error, []),
        );
      }) as typeof lookup);
