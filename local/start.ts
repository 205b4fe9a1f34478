// `npm start`: everything on one machine, until Ctrl-C. Only lists the parts, in the order in which they start.
import { runParts } from './parts.ts';
import { serviceParts } from './service-part.ts';
import { readLocalSettings } from './settings.ts';
import { temporalPart } from './temporal-part.ts';

// Not `once`: a Ctrl-C arrives from the terminal and again from npm, and must not end this process half-way.
const asked = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => asked.abort());

try {
  const settings = readLocalSettings(process.env);
  const parts = [...serviceParts(settings), temporalPart(settings)];
  await runParts(parts, { asked: asked.signal, say: (line) => console.log(line) });
  process.exit(0);
} catch (error) {
  console.error(`lockerflow: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
