// The HTTP client for callbacks: keeps connections alive, and connects only to addresses that are allowed. It checks
// each address when the name is resolved, and again when connected: the name may have another address by then.
import type { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { mayBePrivate, type PrivateHosts, refusalAmong, refusalOf } from '../configuration/address-reach.ts';
import { lookupOf } from '../configuration/resolve-host.ts';

class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

interface GuardedAgentOptions {
  readonly privateHosts: PrivateHosts;
  readonly connectTimeoutMs: number;
  /** Resolves names in a test. */
  readonly lookup?: typeof systemLookup;
}

// Longer than the second between two tries, shorter than the 5 s after which common servers close idle connections.
const KEEP_ALIVE_MS = 4_000;

export function guardedAgent(options: GuardedAgentOptions): Agent {
  const { connectTimeoutMs: timeout, privateHosts } = options;
  const connectors = [false, true].map((allowPrivate) =>
    buildConnector({ timeout, lookup: guardedLookup(options, allowPrivate) }),
  );
  return new Agent({
    // The sender limits how many callbacks run in parallel; a second limit on connections is not needed.
    connections: null,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: (target, callback) => {
      const allowPrivate = mayBePrivate(privateHosts, target);
      // If the host is an address, no name is resolved.
      const literal = target.hostname.replace(/^\[|\]$/g, '');
      const refusal = isIP(literal) === 0 ? undefined : refusalOf(literal, allowPrivate);
      if (refusal !== undefined) return callback(new AddressRefused(refusal), null);
      connectors[Number(allowPrivate)]?.(target, (...[error, socket]) => {
        if (error) return callback(error, null);
        const wrong = refusalOfConnected(socket, allowPrivate);
        if (wrong === undefined) return callback(null, socket);
        socket.destroy();
        callback(new AddressRefused(wrong), null);
      });
    },
  });
}

function refusalOfConnected({ remoteAddress }: Socket, allowPrivate: boolean): string | undefined {
  if (remoteAddress === undefined) return 'the connection was gone before its address could be checked';
  return refusalOf(remoteAddress, allowPrivate);
}

function guardedLookup({ lookup }: GuardedAgentOptions, allowPrivate: boolean): LookupFunction {
  const resolve = lookup ?? lookupOf(allowPrivate);
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const refusal = refusalAmong(addresses, allowPrivate);
      const [first] = addresses;
      if (refusal !== undefined || !first)
        return callback(new AddressRefused(refusal ?? `${hostname} has no address`), '', 0);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
