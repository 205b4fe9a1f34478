// Temporal's Web UI as a component.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Component } from '../../components/component.ts';
import { programComponent } from '../../components/program.ts';
import { isListening, LOOPBACK } from '../../ports.ts';

interface UiOptions {
  readonly home: string;
  readonly program: string;
  readonly port: number;
  readonly frontend: string;
}

export function webUiComponent({ home, program, port, frontend }: UiOptions): Component {
  const folder = 'temporal-ui';
  return programComponent({
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
