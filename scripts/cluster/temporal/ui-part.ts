// Temporal's Web UI as a part.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Part } from '../../parts/part.ts';
import { programPart } from '../../parts/program-part.ts';
import { isListening, LOOPBACK } from '../../ports.ts';

interface UiOptions {
  readonly home: string;
  readonly program: string;
  readonly port: number;
  readonly frontend: string;
}

export function uiPart({ home, program, port, frontend }: UiOptions): Part {
  const folder = 'temporal-ui';
  return programPart({
    name: 'Temporal UI',
    home,
    ports: { TEMPORAL_UI_PORT: port },
    async command() {
      await mkdir(join(home, folder), { recursive: true });
      const settings = { temporalGrpcAddress: frontend, host: LOOPBACK, port, enableUi: true };
      const text = stringify({ ...settings, defaultNamespace: 'default', notifyOnNewVersion: false });
      await writeFile(join(home, folder, 'base.yaml'), text);
      return { program, args: ['--root', home, '--config', folder, 'start'] };
    },
    isReady: () => isListening(port),
    line: `http://${LOOPBACK}:${port}`,
  });
}
