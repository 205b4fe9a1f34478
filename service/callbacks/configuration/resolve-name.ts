// Resolves the names that tenants choose. The system's resolver has two threads for the whole process, and a name whose server does
// not answer holds one for 10 s or longer: a tenant could keep the callbacks of all others from being sent. So only what an operator
// has named, and staging, goes to the system; everything else is asked of the name servers without a thread.
import { promises as dns, type LookupAddress, lookup } from 'node:dns';

const TRY_MS = 2_000;
const TRIES = 2;

/** Throws what the name servers say, where they give no address. */
export async function addressesOf(host: string, bySystem: boolean): Promise<LookupAddress[]> {
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
