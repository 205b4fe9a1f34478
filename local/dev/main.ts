// The process entry of `lockerflow dev`, which `cli/verbs/dev.ts` starts with the folder of flow files as the only argument. Why it
// fails it sends to that program, which says it.
import { shutdownSignal } from '../../shared/terminal/shutdown-signal.ts';
import { keepCompiled } from '../../shared/terminal/user-cache.ts';

const asked = new AbortController();
void shutdownSignal('SIGHUP').then(() => asked.abort());
// Whoever started it was killed.
process.on('disconnect', () => asked.abort());

keepCompiled(process.env);
try {
  const { dev } = await import('./dev.ts');
  await dev(process.argv[2] ?? '.', asked.signal);
  process.exit(0);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  if (process.send) process.send({ message }, () => process.exit(1));
  else process.exit(1);
}
