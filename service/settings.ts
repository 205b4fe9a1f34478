// The service's settings, read from the environment once, at the start. One error names every wrong one.
import { z } from 'zod';
import { readKeyRing } from '../shared/settings/key-ring.ts';
import { readBy, readSettings as readSettingsOf } from '../shared/settings/read-settings.ts';
import { logLevel, metricsAddress, trustedProxies, wholeNumber } from '../shared/settings/values.ts';
import { Encryption } from './encryption/encryption.ts';
import { uploadLimits } from './upload-limits.ts';

// In production only: local runs and tests should never wait. ASSUMPTION: the interface shows no rate limits.
const PRODUCTION_REQUESTS_PER_SECOND = 100;
const PRODUCTION_TOKENS_PER_MINUTE = 60;

const HOST = /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

const environment = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a URL like postgres://user@host/name' }),
  SERVICE_HOST: z.string().min(1).default('127.0.0.1'),
  /** 0 takes any free port. */
  SERVICE_PORT: wholeNumber(0, 65_535).default(8080),
  SERVICE_MODE: z.enum(['staging', 'production']).default('production'),
  /** The address that clients use; the issuer of the tokens. Without it, the address listened on. */
  SERVICE_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Addresses or networks of the proxies whose X-Forwarded-For the service trusts, separated by commas. */
  SERVICE_TRUSTED_PROXIES: trustedProxies,
  /** Connections to Postgres; each request holds at most one. */
  SERVICE_DATABASE_CONNECTIONS: wholeNumber(1, 1_000).default(20),
  SERVICE_LOG_LEVEL: logLevel,
  /** Host and port where Prometheus finds the metrics; none when empty. */
  SERVICE_METRICS_ADDRESS: metricsAddress.optional(),
  /** The keys that encrypt the keys in the database; required to serve. */
  SERVICE_ENCRYPTION_KEY: readBy(readKeyRing).optional(),
  /** interface: "The token expires after a short time". */
  SERVICE_TOKEN_LIFETIME_SECONDS: wholeNumber(1, 86_400).default(900),
  /** Per API client and instance of the service; 0 for no limit. */
  SERVICE_REQUESTS_PER_SECOND: wholeNumber(0, 1_000_000).optional(),
  /** Per API client and instance of the service; 0 for no limit. */
  SERVICE_TOKENS_PER_MINUTE: wholeNumber(0, 1_000_000).optional(),
  /** How long the audit log keeps an entry. */
  SERVICE_AUDIT_RETENTION_DAYS: wholeNumber(1, 36_500).default(400),
  /** After this time an ended shipment is deleted; 0 keeps all. */
  SERVICE_SHIPMENT_RETENTION_DAYS: wholeNumber(0, 36_500).default(0),
  /** How long a graceful stop waits for requests under way before it cuts them. */
  SERVICE_STOP_GRACE_SECONDS: wholeNumber(0, 600).default(20),
  /** off: another process of the service, with the same database, sends the callbacks. */
  SERVICE_CALLBACK_SENDER: z.enum(['on', 'off']).default('on'),
  /** The hosts that may have loopback and private addresses in production; in staging all may (assumptions: Callbacks). */
  SERVICE_CALLBACK_PRIVATE_HOSTS: z
    .string()
    .transform((text) => text.split(',').map((host) => host.trim().toLowerCase()))
    .refine(
      (hosts) => hosts.every((host) => HOST.test(host)),
      'must be hosts, each with a port or without, like receiver:8090,10.1.2.3',
    )
    .default([]),
  /** How long a receiver may take to answer; longer, it would take a place for nothing. */
  SERVICE_CALLBACK_TIMEOUT_SECONDS: wholeNumber(1, 120).default(10),
  /** How long a delivered event stays in the delivery log and can be sent again. */
  SERVICE_CALLBACK_RETENTION_DAYS: wholeNumber(1, 36_500).default(400),
});

const settings = environment.transform((variables) => {
  const production = variables.SERVICE_MODE === 'production';
  return {
    databaseUrl: variables.DATABASE_URL,
    encryption: new Encryption(variables.SERVICE_ENCRYPTION_KEY),
    databaseConnections: variables.SERVICE_DATABASE_CONNECTIONS,
    host: variables.SERVICE_HOST,
    port: variables.SERVICE_PORT,
    mode: variables.SERVICE_MODE,
    url: variables.SERVICE_URL?.replace(/\/+$/, ''),
    trustedProxies: variables.SERVICE_TRUSTED_PROXIES,
    /** Larger JSON bodies are refused before they fill the memory; the largest valid one is some 20 kB. */
    bodyLimitBytes: 262_144,
    logLevel: variables.SERVICE_LOG_LEVEL,
    metricsAddress: variables.SERVICE_METRICS_ADDRESS,
    tokenLifetimeSeconds: variables.SERVICE_TOKEN_LIFETIME_SECONDS,
    /** Not less than 1: a token says when it expires in whole seconds, and would expire up to a second before expires_in. */
    tokenClockSkewSeconds: 1,
    requestsPerSecond:
      variables.SERVICE_REQUESTS_PER_SECOND ?? (production ? PRODUCTION_REQUESTS_PER_SECOND : 0),
    tokensPerMinute: variables.SERVICE_TOKENS_PER_MINUTE ?? (production ? PRODUCTION_TOKENS_PER_MINUTE : 0),
    auditRetentionDays: variables.SERVICE_AUDIT_RETENTION_DAYS,
    shipmentRetentionDays: variables.SERVICE_SHIPMENT_RETENTION_DAYS,
    stopGraceSeconds: variables.SERVICE_STOP_GRACE_SECONDS,
    callbacks: {
      sender: variables.SERVICE_CALLBACK_SENDER === 'on',
      privateHosts: production ? variables.SERVICE_CALLBACK_PRIVATE_HOSTS : ('any' as const),
      timeoutMs: variables.SERVICE_CALLBACK_TIMEOUT_SECONDS * 1_000,
      /** At one time, to one tenant, from one process of the service. */
      parallel: 32,
      retentionDays: variables.SERVICE_CALLBACK_RETENTION_DAYS,
    },
    upload: uploadLimits,
  };
});
export type Settings = Readonly<z.infer<typeof settings>>;

/** Throws an Error that names every wrong setting and what was expected. */
export const readSettings = (variables: Readonly<Record<string, string | undefined>>): Settings =>
  readSettingsOf('These settings of the service are wrong', settings, variables);
