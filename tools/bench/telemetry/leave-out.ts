// For `node --import`: the process runs as if there were no telemetry in it. What is left of it would need OpenTelemetry.
import { registerHooks } from 'node:module';

const REPLACED =
  /\/(?:telemetry\/(?:spans|telemetry|metrics|temporal\/[\w-]+)|service\/http\/(?:traced|measured)-requests|service\/storage\/sql-spans)\.ts$/;
const absent = new URL('./absent.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('@opentelemetry/'))
      throw new TypeError(
        `${context.parentURL} needs ${specifier}, so telemetry is not left out: name the file in tools/bench/telemetry/leave-out.ts, and what it exports in absent.ts`,
      );
    const found = next(specifier, context);
    return REPLACED.test(found.url) ? { ...found, url: absent } : found;
  },
});
