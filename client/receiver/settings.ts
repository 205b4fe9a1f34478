// The receiver's settings, read from the environment once. One error names every wrong one.
import { z } from 'zod';
import {
  callbackHeaders,
  hmacAlgorithms,
  hmacEncodings,
  isCallbackKey,
  NOT_BASE64,
} from '../../contract/wire/callback.ts';
import { readServiceProfile } from '../../contract/wire/service-profile.ts';
import { readSettings } from '../../shared/settings/read-settings.ts';
import { orchestratorSettings } from '../../shared/settings/report-settings.ts';
import {
  logLevel,
  metricsAddress,
  trustedProxies,
  wholeNumber,
  yesOrNo,
} from '../../shared/settings/values.ts';
import type { ReceiverOptions } from './receive-callback.ts';

type Variables = Readonly<Record<string, string | undefined>>;

const environment = orchestratorSettings
  .extend({
    CALLBACK_HOST: z.string().min(1).default('127.0.0.1'),
    /** 0 takes any free port. */
    CALLBACK_PORT: wholeNumber(0, 65_535).default(8090),
    /** Their connections are those of many senders: they have no bound of their own. */
    CALLBACK_TRUSTED_PROXIES: trustedProxies,
    /**
     * A callback has some 1 kB; larger bodies are refused before they fill the memory. Temporal takes 2 MB as one
     * payload, and JSON can become 6 times as long when it is written again (1E20, invalid UTF-16). Temporal must be able
     * to take every accepted callback.
     */
    CALLBACK_BODY_LIMIT_BYTES: wholeNumber(1_000, 262_144).default(65_536),
    /** Host and port where Prometheus finds the metrics; none when empty. */
    CALLBACK_METRICS_ADDRESS: metricsAddress.optional(),
    CALLBACK_LOG_LEVEL: logLevel,
    LOCKER_CALLBACK_AUTH: z.enum(['HMAC', 'ApiKey', 'None'], 'must be HMAC, ApiKey or None').default('HMAC'),
    /** One key or, during a change of key, several separated by blanks. */
    LOCKER_CALLBACK_KEY: z
      .string()
      .default('')
      .transform((keys) => keys.split(/\s+/).filter((key) => key !== ''))
      .refine((keys) => keys.every(isCallbackKey), NOT_BASE64),
    LOCKER_CALLBACK_HMAC_HEADER: z
      .string()
      .min(1)
      .default(callbackHeaders.hmac)
      .transform((name) => name.toLowerCase()),
    LOCKER_CALLBACK_HMAC_ALGORITHM: z.enum(hmacAlgorithms).default('sha256'),
    LOCKER_CALLBACK_HMAC_ENCODING: z.enum(hmacEncodings).default('base64'),
    /** Whether a case number may be a flow's business key. */
    LOCKER_CALLBACK_BY_CASE: yesOrNo.default(true),
    LOCKER_CALLBACK_STRICT: yesOrNo.default(true),
    LOCKER_CALLBACK_TOLERANCE_SECONDS: wholeNumber(1, 86_400).default(300),
  })
  .refine(
    ({ LOCKER_CALLBACK_AUTH, LOCKER_CALLBACK_KEY }) =>
      LOCKER_CALLBACK_AUTH === 'None' || LOCKER_CALLBACK_KEY.length > 0,
    {
      path: ['LOCKER_CALLBACK_KEY'],
      message:
        'is required; set the key of the locker service here or in LOCKER_CALLBACK_KEY_FILE, or set LOCKER_CALLBACK_AUTH to None',
      when: () => true,
    },
  );

interface ReceiverSettings extends Omit<ReceiverOptions, 'onReceived'> {
  readonly host: string;
  readonly port: number;
  readonly trustedProxies: readonly string[];
  readonly bodyLimitBytes: number;
  readonly logLevel: string;
  readonly metricsAddress: string | undefined;
}

/** Throws an Error that names every wrong setting and what was expected. */
export function readReceiverSettings(variables: Variables): ReceiverSettings {
  const data = readSettings(
    'The callback receiver cannot start; these settings are wrong',
    environment,
    variables,
  );
  return {
    host: data.CALLBACK_HOST,
    port: data.CALLBACK_PORT,
    trustedProxies: data.CALLBACK_TRUSTED_PROXIES,
    bodyLimitBytes: data.CALLBACK_BODY_LIMIT_BYTES,
    logLevel: data.CALLBACK_LOG_LEVEL,
    metricsAddress: data.CALLBACK_METRICS_ADDRESS,
    authenticity: {
      authType: data.LOCKER_CALLBACK_AUTH,
      keys: data.LOCKER_CALLBACK_KEY,
      hmacHeader: data.LOCKER_CALLBACK_HMAC_HEADER,
      hmacAlgorithm: data.LOCKER_CALLBACK_HMAC_ALGORITHM,
      hmacEncoding: data.LOCKER_CALLBACK_HMAC_ENCODING,
      strict: data.LOCKER_CALLBACK_STRICT,
      toleranceSeconds: data.LOCKER_CALLBACK_TOLERANCE_SECONDS,
    },
    routing: { byCase: data.LOCKER_CALLBACK_BY_CASE },
    keeping: { taskQueue: data.LOCKERFLOW_TASK_QUEUE, keepFor: data.KEEP_UNMATCHED_FOR },
    serviceProfile: readServiceProfile(data),
  };
}
